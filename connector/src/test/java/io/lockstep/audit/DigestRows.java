package io.lockstep.audit;

import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.digest.Digest128;
import java.util.List;
import java.util.stream.IntStream;

/** Rows for tests: a digest encodes its step and lane. */
final class DigestRows {

    static final List<Integer> LANES = List.of(0, 1, 2, 3);

    private DigestRows() {}

    static DigestRow served(String stream, long epoch, long step) {
        return row(Kind.SERVED, stream, 1, epoch, step);
    }

    static DigestRow consumed(long generation, long epoch, long step) {
        return row(Kind.CONSUMED, "train", generation, epoch, step);
    }

    private static DigestRow row(Kind kind, String stream, long generation, long epoch, long step) {
        return new DigestRow(
                kind, stream, generation, 0, epoch, step, LANES, digests(epoch, step, LANES));
    }

    static List<Digest128> digests(long epoch, long step, List<Integer> lanes) {
        return lanes.stream().map(lane -> digest(epoch, step, lane)).toList();
    }

    static Digest128 digest(long epoch, long step, int lane) {
        return new Digest128(epoch << 32 | lane, step);
    }

    static List<DigestRow> consumed(long generation, long epoch, int firstStep, int endStep) {
        return IntStream.range(firstStep, endStep)
                .mapToObj(step -> consumed(generation, epoch, step))
                .toList();
    }
}
