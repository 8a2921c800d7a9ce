package io.lockstep.cli.past;

import io.lockstep.Plural;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.Shard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A setting or file that differs between two runs.
 *
 * @param what a setting by its path in the run file, or a data file
 * @param first its value in the first run
 * @param second its value in the second run
 */
record Cause(String what, String first, String second) {

    private static final String ABSENT = "absent";

    /** The differences in a stream's order and data; empty if there are none. */
    static List<Cause> between(PlannedStream first, PlannedStream second) {
        String path = "streams." + first.spec().name() + ".";
        List<Cause> causes = new ArrayList<>();
        Map<String, String> settings = settings(second);
        settings(first)
                .forEach(
                        (name, value) -> {
                            if (!value.equals(settings.get(name))) {
                                causes.add(new Cause(path + name, value, settings.get(name)));
                            }
                        });
        if (!first.manifest().digest().equals(second.manifest().digest())) {
            causes.add(file(first.manifest(), second.manifest()));
        }
        return causes;
    }

    private static Map<String, String> settings(PlannedStream planned) {
        Map<String, String> settings = new LinkedHashMap<>();
        planned.spec()
                .order()
                .toMap()
                .forEach((name, value) -> settings.put("order." + name, value));
        settings.put(
                "columns",
                planned.spec().columns().isEmpty()
                        ? "all"
                        : String.join(",", planned.spec().columns()));
        SchemaRules rules = planned.spec().schema();
        settings.put("schema.missing", rules.fillMissing() ? "null" : "refuse");
        settings.put("schema.widen", String.valueOf(rules.widen()));
        settings.put("partitions", new TreeMap<>(rules.partitions()).toString());
        return settings;
    }

    /** The first file that differs. */
    private static Cause file(Manifest first, Manifest second) {
        List<Shard> ours = first.shards();
        List<Shard> theirs = second.shards();
        int i = 0;
        while (i < Math.min(ours.size(), theirs.size())
                && version(ours.get(i)).equals(version(theirs.get(i)))) {
            i++;
        }
        String name = i < ours.size() ? ours.get(i).path() : theirs.get(i).path();
        return new Cause(
                "file " + name,
                i < ours.size() ? version(ours.get(i)) : ABSENT,
                i < theirs.size() ? version(theirs.get(i)) : ABSENT);
    }

    private static String version(Shard shard) {
        return shard.path()
                + " of "
                + Plural.of(shard.length(), "byte")
                + ", footer "
                + shard.footerSha256().substring(0, 12);
    }

    String sentence() {
        return what + " is " + first + " in the first run and " + second + " in the second";
    }
}
