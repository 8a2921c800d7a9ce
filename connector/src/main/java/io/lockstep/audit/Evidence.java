package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import java.util.Comparator;

/** One record of a lane's part of a step. */
public record Evidence(DigestRow.Kind kind, long generation, int rank, Digest128 digest)
        implements Comparable<Evidence> {

    private static final Comparator<Evidence> ORDER =
            Comparator.comparing(Evidence::kind)
                    .thenComparing(Evidence::generation)
                    .thenComparing(Evidence::rank)
                    .thenComparing(Evidence::digest);

    @Override
    public int compareTo(Evidence other) {
        return ORDER.compare(this, other);
    }
}
