package io.lockstep.cli.directories;

import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestRow;
import io.lockstep.cli.data.PastRun;
import io.lockstep.run.GenerationEntry;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Summary of a run for a listing.
 *
 * @param root the run directory
 * @param generations number of trainer launches
 * @param size of all its files
 */
record RunSummary(String root, List<Stream> streams, long generations, TreeSize size) {

    /**
     * One stream.
     *
     * @param epochs the planned number of epochs
     * @param last the last step recorded as consumed by a trainer; null for none
     */
    record Stream(String name, int epochs, @Nullable Step last) {}

    /** A step by epoch and number. */
    record Step(long epoch, long step) {}

    static RunSummary of(PastRun run) throws IOException {
        DigestArchive archive = new DigestArchive(run.directory());
        List<Stream> streams = new ArrayList<>();
        for (StreamSpec spec : run.settings().streams()) {
            streams.add(new Stream(spec.name(), spec.epochs(), last(archive, spec.name())));
        }
        return new RunSummary(
                run.directory().root(),
                streams,
                run.directory().readGeneration().map(GenerationEntry::generation).orElse(0L),
                TreeSize.of(run.directory().root()));
    }

    private static Step last(DigestArchive archive, String stream) throws IOException {
        return archive.last(stream, DigestRow.Kind.CONSUMED)
                .map(key -> new Step(key.epoch(), key.step()))
                .orElse(null);
    }

    /** When a file was last written. */
    Instant changed() {
        return Instant.ofEpochMilli(size.changedMillis());
    }
}
