package io.lockstep.source.enumerator;

import io.lockstep.source.event.LanesOffered;
import io.lockstep.source.event.LanesRecalled;
import io.lockstep.source.event.LanesReleased;
import io.lockstep.source.event.OfferAnswered;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves lanes between readers while the job runs, one move at a time.
 *
 * <p>A move has three phases: the target accepts the lanes, their owners release them, and the
 * released lanes are assigned to the target. A lane is in the {@link LanePlacement} of its owner
 * until it is assigned, so a reader that fails in any phase gets the lanes that it owns at the time
 * of its restart. If the target fails, the move is cancelled, and the released lanes return to
 * their owners. All methods run on the coordinator's thread.
 */
final class LaneMover {

    private static final Logger LOG = LoggerFactory.getLogger(LaneMover.class);

    private final SplitEnumeratorContext<LaneSplit> context;
    private final IntConsumer removeServer;
    private final LanePlacement placement;
    private final Deque<LaneMove> moves = new ArrayDeque<>();
    private long lastId;
    private boolean moving;

    /**
     * @param removeServer removes the server of a failed reader from the run directory, later
     */
    LaneMover(
            SplitEnumeratorContext<LaneSplit> context,
            LanePlacement placement,
            IntConsumer removeServer) {
        this.context = context;
        this.removeServer = removeServer;
        this.placement = placement;
    }

    /** The current or queued move of a lane. */
    Optional<LaneMove> of(LaneSplit lane) {
        return moves.stream().filter(move -> move.lanes().contains(lane)).findFirst();
    }

    /** Queues a move of lanes that are not part of another move. */
    LaneMove begin(List<LaneSplit> lanes, int target) {
        LaneMove move = new LaneMove(++lastId, target, lanes);
        moves.add(move);
        advance();
        return move;
    }

    /** Returns the lanes that were dealt to a restarted reader. */
    void returnLanes(int subtask) {
        List<LaneSplit> away =
                placement.movedAwayFrom(subtask).stream()
                        .filter(lane -> of(lane).isEmpty())
                        .toList();
        if (!away.isEmpty()) {
            begin(away, subtask);
        }
    }

    private void advance() {
        while (!moving && !moves.isEmpty()) {
            LaneMove next = moves.peek();
            if (isRegistered(next.target())) {
                moving = true;
                context.sendEventToSourceReader(
                        next.target(), new LanesOffered(next.id(), next.lanes()));
            } else {
                end(next, notRegistered(next.target()));
            }
        }
    }

    /** The current move, if it has this number. */
    private Optional<LaneMove> current(long id) {
        return moving && moves.peek().id() == id ? Optional.of(moves.peek()) : Optional.empty();
    }

    void answered(OfferAnswered answer) {
        current(answer.move()).ifPresent(move -> answered(move, answer.refusal()));
    }

    private void answered(LaneMove move, String refusal) {
        if (refusal != null) {
            end(
                    move,
                    String.format(
                            "reader %d cannot take %s: %s",
                            move.target(), LaneSplit.describe(move.lanes()), refusal));
            return;
        }
        move.accept(placement);
        for (int owner : move.awaited()) {
            if (isRegistered(owner)) {
                context.sendEventToSourceReader(
                        owner, new LanesRecalled(move.id(), move.awaitedOf(owner)));
            } else {
                releaseLanesOf(move, owner);
            }
        }
        endIfOver(move);
    }

    void released(int subtask, LanesReleased event) {
        current(event.move())
                .ifPresent(
                        move -> {
                            assign(move, subtask, move.free(subtask));
                            endIfOver(move);
                        });
    }

    /** If the target has failed meanwhile, the lanes return to the readers that released them. */
    private void assign(LaneMove move, int from, List<LaneSplit> lanes) {
        int to = isRegistered(move.target()) ? move.target() : from;
        placement.assign(lanes, to);
        if (isRegistered(to)) {
            context.assignSplits(new SplitsAssignment<>(Map.of(to, lanes)));
        }
    }

    /** Handles the failure of a reader. Call it before the reader is assigned lanes again. */
    void readerFailed(int subtask) {
        if (!moving) {
            return;
        }
        LaneMove move = moves.peek();
        if (!move.isAccepted()) {
            if (move.target() == subtask) {
                end(move, notRegistered(subtask));
            }
        } else if (move.awaited().contains(subtask)) {
            releaseLanesOf(move, subtask);
            endIfOver(move);
        }
    }

    /** Handles readers that have failed and have not restarted yet. */
    void checkReaders() {
        if (moving) {
            LaneMove move = moves.peek();
            List<Integer> concerned = new ArrayList<>(move.awaited());
            concerned.add(move.target());
            concerned.stream().filter(reader -> !isRegistered(reader)).forEach(this::readerFailed);
        }
    }

    /**
     * Releases the failed reader's lanes and removes its server, so that trainers stop looking for
     * them there.
     */
    private void releaseLanesOf(LaneMove move, int owner) {
        List<LaneSplit> lanes = move.free(owner);
        if (isRegistered(move.target())) {
            removeServer.accept(owner);
        }
        assign(move, owner, lanes);
    }

    private void endIfOver(LaneMove move) {
        if (move.isOver()) {
            boolean all =
                    move.lanes().stream().allMatch(lane -> placement.owner(lane) == move.target());
            end(move, all ? null : notRegistered(move.target()));
        }
    }

    private void end(LaneMove move, String reason) {
        moves.remove(move);
        moving = false;
        if (reason == null) {
            LOG.info("Moved {} to reader {}", LaneSplit.describe(move.lanes()), move.target());
        } else {
            LOG.warn(
                    "Did not move {} to reader {}: {}",
                    LaneSplit.describe(move.lanes()),
                    move.target(),
                    reason);
        }
        move.outcome().complete(reason);
        advance();
    }

    /** Ends all moves because the run is done. */
    void stop() {
        moving = false;
        moves.forEach(move -> move.outcome().complete("the run is done"));
        moves.clear();
    }

    private static String notRegistered(int subtask) {
        return String.format(
                "reader %d is not there: its task has failed and not started again yet", subtask);
    }

    boolean isRegistered(int subtask) {
        return context.registeredReaders().containsKey(subtask);
    }
}
