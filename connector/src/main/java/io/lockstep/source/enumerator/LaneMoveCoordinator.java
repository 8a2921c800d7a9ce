package io.lockstep.source.enumerator;

import io.lockstep.Futures;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Answers requests to move lanes, for instance before maintenance of a host. Requests are
 * idempotent: each names the target of its lanes. All methods run on the coordinator's thread.
 */
final class LaneMoveCoordinator {

    private final int parallelism;
    private final LanePlacement placement;
    private final LaneMover mover;

    LaneMoveCoordinator(int parallelism, LanePlacement placement, LaneMover mover) {
        this.parallelism = parallelism;
        this.placement = placement;
        this.mover = mover;
    }

    /** Answers once the lanes have moved to the requested readers or the move has failed. */
    void move(Request.Move request, Consumer<Reply.OfRun> reply) {
        mover.checkReaders();
        List<LaneSplit> lanes = lanes(request);
        Optional<String> refusal = refusal(request);
        if (refusal.isPresent()) {
            reply.accept(new Reply.Failure(ErrorCode.REFUSED, refusal.get()));
            return;
        }
        Optional<LaneMove> onItsWay = lanes.stream().flatMap(l -> mover.of(l).stream()).findFirst();
        if (onItsWay.isPresent()) {
            reply.accept(new Reply.Pending(onItsWay.get().describe()));
            return;
        }
        begin(lanes, request.to(), reply);
    }

    private static List<LaneSplit> lanes(Request.Move request) {
        List<LaneSplit> lanes = new ArrayList<>();
        request.lanes()
                .forEach(
                        (stream, numbers) ->
                                numbers.stream()
                                        .distinct()
                                        .sorted()
                                        .forEach(lane -> lanes.add(new LaneSplit(stream, lane))));
        return lanes;
    }

    private Optional<String> refusal(Request.Move request) {
        if (request.to().isEmpty()) {
            return Optional.of("name a reader that the lanes are to go to");
        }
        for (int reader : request.to()) {
            if (reader < 0 || reader >= parallelism) {
                return Optional.of(
                        String.format(
                                "there is no reader %d: the job has the readers 0 to %d",
                                reader, parallelism - 1));
            }
        }
        return Optional.empty();
    }

    private void begin(List<LaneSplit> lanes, List<Integer> readers, Consumer<Reply.OfRun> reply) {
        List<LaneSplit> elsewhere =
                lanes.stream().filter(lane -> !readers.contains(placement.owner(lane))).toList();
        List<CompletableFuture<String>> outcomes = new ArrayList<>();
        LaneDealer.spread(elsewhere, readers)
                .forEach((reader, run) -> outcomes.add(mover.begin(run, reader).outcome()));
        Futures.onFailure(
                CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                        .thenRun(() -> reply.accept(answer(outcomes))),
                failure -> reply.accept(new Reply.Failure(ErrorCode.FAILED, failure.toString())));
    }

    private static Reply.OfRun answer(List<CompletableFuture<String>> outcomes) {
        String reasons =
                outcomes.stream()
                        .map(CompletableFuture::join)
                        .filter(reason -> reason != null)
                        .collect(Collectors.joining("; "));
        return reasons.isEmpty()
                ? new Reply.Noted()
                : new Reply.Failure(ErrorCode.REFUSED, reasons);
    }
}
