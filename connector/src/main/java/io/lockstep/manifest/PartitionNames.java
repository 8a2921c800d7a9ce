package io.lockstep.manifest;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Detects partition directories such as {@code year=2020}, which other tools turn into columns.
 * Lockstep serves only what the files contain.
 */
final class PartitionNames {

    private static final Pattern NAME = Pattern.compile("(?<=^|/)([^/=]+)=[^/]*(?=/)");

    private PartitionNames() {}

    /** Reports a partition name that is not also a column of the files. */
    static void note(Manifest manifest, Progress progress) {
        first(manifest)
                .ifPresent(
                        name ->
                                progress.note(
                                        "directory names such as "
                                                + name
                                                + " are not columns; the trainers get what is in"
                                                + " the files"));
    }

    private static Optional<String> first(Manifest manifest) {
        for (Shard shard : manifest.shards()) {
            Matcher matcher = NAME.matcher(shard.path());
            while (matcher.find()) {
                if (!isColumn(manifest, matcher.group(1))) {
                    return Optional.of(matcher.group());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isColumn(Manifest manifest, String name) {
        return Stream.concat(
                        manifest.allColumns().stream().map(field -> field.getName()),
                        manifest.neverReadable().stream().map(UnreadableColumn::name))
                .anyMatch(name::equals);
    }
}
