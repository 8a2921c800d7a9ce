package io.lockstep.audit;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The receipts of one client's session, including those that are not durable yet. Not thread-safe.
 */
final class ReceiptSession {

    private static final long NONE = -1;

    private record Waiting(long number, long rows) {}

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long last = NONE;
    private long recorded = NONE;

    /** Whether a receipt is new. */
    boolean isNew(long number) {
        return number > last;
    }

    /**
     * @param number ascending
     * @param rows the number of rows that the archive must hold for it to be recorded
     */
    void add(long number, long rows) {
        last = number;
        Waiting newest = waiting.peekLast();
        if (newest != null && newest.rows() == rows) {
            waiting.removeLast();
        }
        waiting.add(new Waiting(number, rows));
    }

    /**
     * The number up to which all receipts are recorded once the archive holds that many rows; -1 if
     * none are.
     */
    long recorded(long rows) {
        while (!waiting.isEmpty() && waiting.peek().rows() <= rows) {
            recorded = waiting.remove().number();
        }
        return recorded;
    }
}
