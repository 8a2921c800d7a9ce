package io.lockstep.handoff.verbs;

import java.util.ArrayDeque;
import java.util.Deque;

/** The receipts of one client's session, of which some are not durable yet. Not thread-safe. */
final class ReceiptSession {

    private static final long NONE = -1;

    private record Waiting(long number, long rows) {}

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long last = NONE;
    private long recorded = NONE;
    private long rows;

    /** Whether a receipt has not come before. */
    boolean isNew(long number) {
        return number > last;
    }

    /**
     * @param number ascending
     * @param row how many rows the archive has to have for it
     */
    void add(long number, long row) {
        last = number;
        rows = row;
        waiting.add(new Waiting(number, row));
    }

    /** How many rows the archive has to have for all of them. */
    long rows() {
        return rows;
    }

    /** The number up to which all are recorded when the archive has that many rows; -1 for none. */
    long recorded(long durable) {
        while (!waiting.isEmpty() && waiting.peek().rows() <= durable) {
            recorded = waiting.remove().number();
        }
        return recorded;
    }
}
