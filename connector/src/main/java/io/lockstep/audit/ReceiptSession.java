package io.lockstep.audit;

import java.util.ArrayDeque;
import java.util.Deque;

/** The receipts of one client's session, of which some are not durable yet. Not thread-safe. */
final class ReceiptSession {

    private static final long NONE = -1;

    private record Waiting(long number, long rows) {}

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long last = NONE;
    private long recorded = NONE;

    /** Whether a receipt has not come before. */
    boolean isNew(long number) {
        return number > last;
    }

    /**
     * @param number ascending
     * @param rows how many rows the archive has to have for it
     */
    void add(long number, long rows) {
        last = number;
        Waiting newest = waiting.peekLast();
        if (newest != null && newest.rows() == rows) {
            waiting.removeLast();
        }
        waiting.add(new Waiting(number, rows));
    }

    /** The number up to which all are recorded when the archive has that many rows; -1 for none. */
    long recorded(long rows) {
        while (!waiting.isEmpty() && waiting.peek().rows() <= rows) {
            recorded = waiting.remove().number();
        }
        return recorded;
    }
}
