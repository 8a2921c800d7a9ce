package io.lockstep.cli.data;

import io.lockstep.source.StreamSpec;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The owner of a run directory. The directory holds the source of Python functions: a user who can
 * write it could make others run any code.
 *
 * @param root an absolute path or a URI
 * @param user the number of the user that runs this process
 */
record RunOwner(String root, Object user) {

    private static final String UID = "unix:uid";

    static RunOwner of(String root) throws IOException {
        // The link itself belongs to root.
        return new RunOwner(root, Files.getAttribute(Path.of("/proc/self"), UID));
    }

    /**
     * Why the functions of a stream are not run without the user's consent; empty if it has none,
     * or they are the user's own.
     *
     * @param settings the file that holds them, below the run directory
     */
    Optional<String> refusal(StreamSpec stream, String settings) throws IOException {
        List<String> functions =
                stream.transforms().stream()
                        .filter(transform -> transform.python() != null)
                        .map(TransformSpec::name)
                        .toList();
        if (functions.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> stranger = stranger(settings);
        return stranger.map(
                whose ->
                        "the run directory "
                                + root
                                + " "
                                + whose
                                + ", and its stream '"
                                + stream.name()
                                + "' has Python functions ("
                                + String.join(", ", functions)
                                + "), which would run as you: read them in "
                                + root
                                + "/"
                                + settings
                                + ", then add --trust");
    }

    private Optional<String> stranger(String settings) throws IOException {
        if (!root.startsWith("/")) {
            return Optional.of("is not on this host, so its owner is not known");
        }
        for (Path path : List.of(Path.of(root), Path.of(root, settings))) {
            if (!Files.getAttribute(path, UID).equals(user)) {
                return Optional.of("belongs to the user " + Files.getOwner(path).getName());
            }
        }
        return Optional.empty();
    }
}
