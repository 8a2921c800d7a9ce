package io.lockstep.audit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/**
 * What trainers say that they have consumed, by numbered receipts, and which of these receipts are
 * recorded. A receipt whose record was lost counts as recorded: its step is in a gap. Thread-safe.
 */
public final class Receipts {

    /** Sessions whose numbers are remembered; a rank has one for each stream. */
    private static final int MAX_SESSIONS = 4096;

    @Nullable private final DigestWriter digests;

    /** By the client's name for it, the longest unused first. */
    private final Map<String, ReceiptSession> sessions =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, ReceiptSession> eldest) {
                    return size() > MAX_SESSIONS;
                }
            };

    /**
     * @param digests takes the records; null where none are kept
     */
    public Receipts(@Nullable DigestWriter digests) {
        this.digests = digests;
    }

    /**
     * Records a receipt; one that came before has no effect.
     *
     * @param number ascending within a session
     * @param row the record, made only where it is needed
     */
    public synchronized void add(String session, long number, Supplier<DigestRow> row) {
        ReceiptSession receipts = session(session);
        if (receipts.isNew(number)) {
            receipts.add(number, digests == null ? 0 : digests.add(row.get()));
        }
    }

    private ReceiptSession session(String name) {
        return sessions.computeIfAbsent(name, absent -> new ReceiptSession());
    }

    /** The number up to which all receipts of a session are recorded; -1 for none. */
    public synchronized long recorded(String session) {
        return session(session).recorded(digests == null ? 0 : digests.settled());
    }

    /**
     * Completes when all receipts that have come are in the run directory; completes at once where
     * nothing can be written now. Fails with a {@link java.util.concurrent.TimeoutException}, or
     * where a write fails.
     */
    public CompletableFuture<Void> whenDurable(Duration limit) {
        if (digests == null || digests.trouble().isPresent()) {
            return CompletableFuture.completedFuture(null);
        }
        return digests.whenDurable().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Why nothing can be recorded now, with what to do; null where it can. */
    @Nullable
    public String trouble() {
        return digests == null ? null : digests.trouble().orElse(null);
    }
}
