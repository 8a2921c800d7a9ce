package io.lockstep.audit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/**
 * The numbered receipts of trainers for the steps that they have consumed, and which of them are
 * recorded. A receipt whose record was lost counts as recorded, because its step is in a gap.
 * Thread-safe.
 */
public final class Receipts {

    /** The maximum number of tracked sessions; a rank has one session for each stream. */
    private static final int MAX_SESSIONS = 4096;

    @Nullable private final DigestWriter digests;

    /** By the client's session name, least recently used first. */
    private final Map<String, ReceiptSession> sessions =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, ReceiptSession> eldest) {
                    return size() > MAX_SESSIONS;
                }
            };

    /**
     * @param digests receives the records; null if none are kept
     */
    public Receipts(@Nullable DigestWriter digests) {
        this.digests = digests;
    }

    /**
     * Records a receipt. Idempotent.
     *
     * @param number ascending within a session
     * @param row creates the record; called only for a new receipt
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

    /** The number up to which all receipts of a session are recorded; -1 if none are. */
    public synchronized long recorded(String session) {
        return session(session).recorded(digests == null ? 0 : digests.settled());
    }

    /**
     * Completes when all receipts so far are in the run directory, or immediately if writing is
     * failing now. Fails with a {@link java.util.concurrent.TimeoutException}, or if a write fails.
     */
    public CompletableFuture<Void> whenDurable(Duration limit) {
        if (digests == null || digests.problem().isPresent()) {
            return CompletableFuture.completedFuture(null);
        }
        return digests.whenDurable().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Why recording is failing now and what to do; null if it is not. */
    @Nullable
    public String problem() {
        return digests == null ? null : digests.problem().orElse(null);
    }
}
