package io.lockstep.cli.run;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a run directory's settings belong to the same run: its streams must be unchanged,
 * because they define the order of the samples. Trainers, cache and similar settings may change.
 */
public final class RunDifference {

    private static final Logger LOG = LoggerFactory.getLogger(RunDifference.class);

    private RunDifference() {}

    /**
     * Compares with the settings in the run's directory for the streams that are sealed; settings
     * of a rejected run do not count. If the settings are damaged, only the seals are compared.
     *
     * @throws UserException with the first setting that differs
     */
    public static void check(RunFile now) throws IOException {
        RunDirectory directory = new RunDirectory(now.directory());
        Optional<String> earlier;
        try {
            earlier = directory.readSettings();
        } catch (UnreadableFileException e) {
            LOG.warn("{}", e.getMessage());
            return;
        }
        if (earlier.isPresent()) {
            Path settings = Path.of(now.directory(), "run.yaml");
            check(directory, RunFileReader.parse(settings, earlier.get()), now);
        }
    }

    private static void check(RunDirectory directory, RunFile earlier, RunFile now)
            throws IOException {
        for (StreamSpec before : earlier.streams()) {
            if (!directory.hasStream(before.name())) {
                continue;
            }
            for (StreamSpec after : now.streams()) {
                if (before.name().equals(after.name())) {
                    check(now.directory(), before, after);
                }
            }
        }
    }

    private static void check(String directory, StreamSpec before, StreamSpec after) {
        Map<String, Object> settings = settings(after);
        settings(before)
                .forEach(
                        (key, value) -> {
                            if (!Objects.equals(value, settings.get(key))) {
                                throw new UserException(
                                        "the run directory "
                                                + directory
                                                + " holds another run: its streams."
                                                + before.name()
                                                + "."
                                                + key
                                                + " is "
                                                + value
                                                + ", and now it is "
                                                + settings.get(key)
                                                + "; choose another directory, or the settings of"
                                                + " that run");
                            }
                        });
    }

    private static Map<String, Object> settings(StreamSpec spec) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("data", spec.data());
        settings.put("columns", spec.columns().isEmpty() ? "all" : spec.columns());
        settings.put("schema.missing", spec.schema().fillMissing() ? "null" : "refuse");
        settings.put("schema.widen", spec.schema().widen());
        settings.put("partitions", spec.schema().partitions());
        settings.put("filter", spec.rows().filter() == null ? "none" : spec.rows().filter().text());
        settings.put(
                "split", spec.rows().split() == null ? "none" : spec.rows().split().description());
        settings.put("like", spec.like() == null ? "none" : spec.like().name());
        settings.put("order.batch", spec.order().batch());
        settings.put("order.lanes", spec.order().lanes());
        settings.put("order.window", spec.order().window());
        settings.put("order.seed", Long.toUnsignedString(spec.order().seed()));
        settings.put("order.shuffle", spec.order().shuffle());
        settings.put("order.tail", spec.order().tail());
        return settings;
    }
}
