package io.lockstep.handoff.verbs;

import io.lockstep.audit.DigestRow;
import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.audit.DigestWriter;
import io.lockstep.digest.PackedDigests;
import io.lockstep.handoff.held.StepRequest;
import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.protocol.NotYetException;
import io.lockstep.handoff.protocol.Reply;
import io.lockstep.handoff.protocol.Request;
import io.lockstep.source.split.LaneSplit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Records what is served, and what trainers say that they have consumed. Nothing here waits for a
 * file system. Thread-safe.
 */
public final class StepRecords {

    /** Sessions whose numbers are remembered; a rank has one for each stream. */
    private static final int MAX_SESSIONS = 4096;

    /** For how long a call waits for the run directory at most. */
    private static final Duration MOST_HELD = Duration.ofSeconds(5);

    private final DigestWriter digests;

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
    public StepRecords(DigestWriter digests) {
        this.digests = digests;
    }

    /**
     * Records steps that are handed over.
     *
     * @param made the digests of the request's lanes
     */
    public void served(StepRequest request, PackedDigests made) {
        if (digests == null) {
            return;
        }
        digests.add(
                new DigestRow(
                        Kind.SERVED,
                        request.lanes().get(0).stream(),
                        request.generation(),
                        request.rank(),
                        request.epoch(),
                        request.step(),
                        request.lanes().stream().map(LaneSplit::lane).toList(),
                        made));
    }

    /** Records what comes with a request for a step, if anything. */
    public void note(Request.Get request) {
        note(
                request.generation(),
                request.rank(),
                request.stream(),
                request.lanes(),
                request.consumed());
    }

    /**
     * Records receipts, those that came before once more without effect.
     *
     * @param receipts may be null
     */
    private synchronized void note(
            long generation,
            int rank,
            String stream,
            List<Integer> lanes,
            Request.Receipts receipts) {
        if (receipts == null) {
            return;
        }
        ReceiptSession session =
                sessions.computeIfAbsent(receipts.session(), name -> new ReceiptSession());
        for (Request.Receipt receipt : receipts.steps()) {
            if (session.isNew(receipt.number())) {
                long rows =
                        digests == null
                                ? 0
                                : digests.add(row(generation, rank, stream, lanes, receipt));
                session.add(receipt.number(), rows);
            }
        }
    }

    private static DigestRow row(
            long generation,
            int rank,
            String stream,
            List<Integer> lanes,
            Request.Receipt receipt) {
        try {
            return new DigestRow(
                    Kind.CONSUMED,
                    stream,
                    generation,
                    rank,
                    receipt.epoch(),
                    receipt.step(),
                    lanes,
                    PackedDigests.parse(receipt.digests()));
        } catch (IllegalArgumentException e) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    "the receipt "
                            + receipt.number()
                            + " cannot be recorded: it needs one digest for each of its lanes ("
                            + e.getMessage()
                            + ")");
        }
    }

    /** What the reply says of a session's receipts; null where the request has none. */
    public synchronized Long recorded(Request.Receipts receipts) {
        ReceiptSession session = receipts == null ? null : sessions.get(receipts.session());
        return session == null ? null : session.recorded(digests == null ? 0 : digests.durable());
    }

    /**
     * Records receipts and replies when they are in the run directory, or why they are not yet; at
     * once how far they are, if it may not wait.
     */
    CompletableFuture<Reply> record(Request.Consumed request) {
        note(
                request.generation(),
                request.rank(),
                request.stream(),
                request.lanes(),
                request.consumed());
        long rows;
        synchronized (this) {
            rows = sessions.get(request.consumed().session()).rows();
        }
        Duration held = request.waitMs() == null ? MOST_HELD : Duration.ofMillis(request.waitMs());
        if (digests == null || held.isZero() || held.isNegative()) {
            return CompletableFuture.completedFuture(
                    new Reply.Recorded(recorded(request.consumed())));
        }
        CompletableFuture<Reply> reply =
                digests.whenDurable(rows)
                        .thenApply(done -> new Reply.Recorded(recorded(request.consumed())));
        long millis = Math.min(held.toMillis(), MOST_HELD.toMillis());
        return reply.orTimeout(millis, TimeUnit.MILLISECONDS).exceptionally(this::notYet);
    }

    private Reply notYet(Throwable failure) {
        if (failure instanceof TimeoutException) {
            throw new NotYetException(
                    digests.whyNot().orElse("the digests of the run are being written"));
        }
        throw new CompletionException(failure);
    }
}
