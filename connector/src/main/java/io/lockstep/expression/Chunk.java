package io.lockstep.expression;

/** Consecutive rows that are evaluated together. Used by one thread. */
final class Chunk {

    /** The number of rows whose intermediate values stay in a processor's cache. */
    static final int ROWS = 2_048;

    private final Evaluation evaluation;
    private final int from;
    private final int size;
    private final Values[] columns;

    Chunk(Evaluation evaluation, int from, int size) {
        this.evaluation = evaluation;
        this.from = from;
        this.size = size;
        this.columns = new Values[evaluation.columns()];
    }

    int size() {
        return size;
    }

    /** The number of a row of the chunk among all rows. */
    int row(int index) {
        return from + index;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    /** Returns the values of a column, which are read once. */
    Values column(int column) {
        if (columns[column] == null) {
            columns[column] = evaluation.read(column, from, size);
        }
        return columns[column];
    }
}
