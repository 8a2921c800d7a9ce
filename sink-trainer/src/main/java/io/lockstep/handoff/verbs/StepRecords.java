package io.lockstep.handoff.verbs;

import io.lockstep.audit.DigestRow;
import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.audit.DigestWriter;
import io.lockstep.audit.Receipts;
import io.lockstep.digest.PackedDigests;
import io.lockstep.handoff.held.StepRequest;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import javax.annotation.Nullable;

/**
 * Records which steps are served and which the trainers report as consumed. No method waits for a
 * file system. Thread-safe.
 */
public final class StepRecords {

    /** The longest that a call waits for the run directory. */
    private static final Duration MAX_HELD = Duration.ofSeconds(5);

    @Nullable private final DigestWriter digests;
    private final Receipts receipts;

    /**
     * @param digests receives the records; null if none are kept
     */
    public StepRecords(@Nullable DigestWriter digests) {
        this.digests = digests;
        this.receipts = new Receipts(digests);
    }

    /**
     * Records served steps.
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
                        request.group().stream(),
                        request.group().generation(),
                        request.group().rank(),
                        request.epoch(),
                        request.step(),
                        request.group().lanes(),
                        made));
    }

    /** Records the receipts in a request for a step, if any. */
    public void note(Request.Get request) {
        note(
                request.generation(),
                request.rank(),
                request.stream(),
                request.lanes(),
                request.consumed());
    }

    private void note(
            long generation,
            int rank,
            String stream,
            List<Integer> lanes,
            @Nullable Request.Receipts some) {
        if (some != null) {
            for (Request.Receipt receipt : some.steps()) {
                receipts.add(
                        some.session(),
                        receipt.number(),
                        () -> row(generation, rank, stream, lanes, receipt));
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

    /** Steps whose lost records are not yet in the run directory as gaps. */
    public long unrecorded() {
        return digests == null ? 0 : digests.unwrittenGaps();
    }

    /** Why recording does not work now; null if it does. */
    @Nullable
    public String problem() {
        return receipts.problem();
    }

    /** The reply's field on a session's receipts; null if the request has none. */
    @Nullable
    public Long recorded(@Nullable Request.Receipts some) {
        return some == null ? null : receipts.recorded(some.session());
    }

    /** Why receipts cannot be recorded now; null if they can or the request has none. */
    @Nullable
    public String warning(@Nullable Request.Receipts some) {
        return some == null ? null : receipts.problem();
    }

    /**
     * Records receipts. Replies when they are in the run directory, or with the reason for the
     * delay; replies at once with the progress if the call may not wait or recording does not work.
     */
    CompletableFuture<Reply> record(Request.Consumed request) {
        note(
                request.generation(),
                request.rank(),
                request.stream(),
                request.lanes(),
                request.consumed());
        long millis =
                request.waitMs() == null
                        ? MAX_HELD.toMillis()
                        : Math.min(request.waitMs(), MAX_HELD.toMillis());
        if (millis <= 0) {
            return CompletableFuture.completedFuture(answer(request));
        }
        return receipts.whenDurable(Duration.ofMillis(millis))
                .handle(
                        (durable, failure) -> {
                            Reply.Recorded answer = answer(request);
                            if (failure instanceof TimeoutException && answer.warning() == null) {
                                throw new NotYetException(
                                        "the digests of the run are being written");
                            }
                            return answer;
                        });
    }

    private Reply.Recorded answer(Request.Consumed request) {
        return new Reply.Recorded(recorded(request.consumed()), warning(request.consumed()));
    }
}
