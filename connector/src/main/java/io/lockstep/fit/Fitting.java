package io.lockstep.fit;

import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.materialize.Content;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * The transforms of a stream over its rows, and the statistics that they need.
 *
 * @param columns that the stream reads; empty for all
 * @param like the name of the stream on whose rows they are computed; null for this one
 */
public record Fitting(
        Dataset dataset,
        List<String> columns,
        SchemaRules rules,
        TransformChain chain,
        @Nullable String like) {

    /** Whether there is nothing to fit. */
    public boolean isDone() {
        return chain.isFitted();
    }

    /** Computes the statistics of the rows of this stream. */
    public FittedValues compute(Progress progress) throws IOException {
        return new ChainFitter(dataset, columns, rules, progress).fit(chain);
    }

    /**
     * Returns sealed statistics; empty if there are none.
     *
     * @throws io.lockstep.UnreadableFileException if they are damaged
     */
    public Optional<FittedValues> load(FittedStore store) throws IOException {
        return store.load(unfitted(), like);
    }

    /** Seals statistics. */
    public void seal(FittedStore store, FittedValues values) throws IOException {
        store.seal(unfitted(), like, values);
    }

    /**
     * Returns sealed statistics; none if none are needed.
     *
     * @throws io.lockstep.UnreadableFileException if they are needed, and do not exist or are
     *     damaged
     */
    public FittedValues sealed(FittedStore store) throws IOException {
        return isDone() ? FittedValues.NONE : store.require(unfitted(), like);
    }

    private Content unfitted() {
        return new Content(dataset, columns, rules, chain.untilFitted());
    }
}
