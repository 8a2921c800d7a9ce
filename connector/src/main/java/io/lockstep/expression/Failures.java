package io.lockstep.expression;

import java.util.function.IntFunction;
import javax.annotation.Nullable;

/** Reports the first value that matters of those that cannot be computed. */
final class Failures {

    private Failures() {}

    /**
     * @param failed by row, whether its value cannot be computed
     * @param at the operator's position in the text
     * @param problem says what is wrong with a row's value
     * @throws Problem if such a row matters and is not null
     */
    static void raise(
            boolean[] failed,
            @Nullable boolean[] nulls,
            @Nullable boolean[] needed,
            Chunk chunk,
            int at,
            IntFunction<String> problem) {
        for (int i = 0; i < chunk.size(); i++) {
            boolean matters = (nulls == null || !nulls[i]) && (needed == null || needed[i]);
            if (failed[i] && matters) {
                String where = chunk.evaluation().columns() == 0 ? "" : inRow(chunk.row(i));
                throw new Problem(at, problem.apply(i) + where);
            }
        }
    }

    private static String inRow(int row) {
        return " in row " + row + " of a row group";
    }
}
