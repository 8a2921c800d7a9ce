package io.lockstep.source.enumerator;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that a savepoint or checkpoint belongs to the run whose directory it is used with. */
final class RestoredRun {

    private RestoredRun() {}

    /**
     * Compares each stream of a checkpoint with its seal in the run directory; a directory without
     * seals is new to the run. Call it before restoring any state from the checkpoint.
     *
     * @param specs the streams of the job
     * @throws UserException if a stream is missing, or has another dataset or order
     */
    static void check(EnumeratorState restored, RunDirectory run, List<StreamSpec> specs)
            throws IOException {
        Map<String, StreamSeal> seals = new HashMap<>();
        Set<String> damaged = new HashSet<>();
        for (StreamSpec spec : specs) {
            try {
                run.readStream(spec.name()).ifPresent(seal -> seals.put(spec.name(), seal));
            } catch (UnreadableFileException e) {
                // The sealer rebuilds it, from the manifest that the checkpoint names.
                damaged.add(spec.name());
            }
        }
        if (seals.isEmpty()) {
            return;
        }
        for (Map.Entry<String, String> stream : restored.manifests().entrySet()) {
            String name = stream.getKey();
            if (damaged.contains(name)) {
                continue;
            }
            StreamSeal seal = seals.get(name);
            if (seal == null) {
                throw anotherRun(run, "has the stream '" + name + "', which %s does not have");
            }
            if (!seal.manifest().equals(stream.getValue())) {
                throw anotherRun(
                        run, "has a stream '" + name + "' of another dataset than that of %s");
            }
            String fingerprint = restored.fingerprints().get(name);
            if (fingerprint != null && !fingerprint.equals(seal.fingerprint())) {
                throw anotherRun(
                        run,
                        "has a stream '"
                                + name
                                + "' in another order (fingerprint "
                                + fingerprint
                                + ") than that of %s ("
                                + seal.fingerprint()
                                + ")");
            }
        }
    }

    /**
     * @param difference a format with a placeholder for the run
     */
    static UserException anotherRun(RunDirectory run, String difference) {
        return new UserException(
                "the savepoint or checkpoint that the job starts from "
                        + String.format(difference, "the run in " + run.root())
                        + ": it is of another run; start from one of this run, or without");
    }
}
