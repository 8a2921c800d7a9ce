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
 * Moves lanes from reader to reader while the job runs, one move after the other.
 *
 * <p>A move has three phases: its target says that it can take the lanes, their owners let go, and
 * what was let go is assigned. A lane is in the {@link LanePlacement} of its owner until it is
 * assigned, so a reader that fails in any phase gets, when it comes back, the lanes that are then
 * its own. A target that fails is waited for by nobody: owners that let go meanwhile get their
 * lanes back. All methods run on the coordinator's thread.
 */
final class LaneMover {

    private static final Logger LOG = LoggerFactory.getLogger(LaneMover.class);

    private final SplitEnumeratorContext<LaneSplit> context;
    private final IntConsumer removeServer;
    private final LanePlacement placement;
    private final Deque<LaneMove> moves = new ArrayDeque<>();
    private long lastId;
    private boolean underWay;

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

    /** The move that a lane takes part in, or will. */
    Optional<LaneMove> of(LaneSplit lane) {
        return moves.stream().filter(move -> move.lanes().contains(lane)).findFirst();
    }

    /** Has lanes moved that no other move has. */
    LaneMove begin(List<LaneSplit> lanes, int target) {
        LaneMove move = new LaneMove(++lastId, target, lanes);
        moves.add(move);
        advance();
        return move;
    }

    /** A reader that has started anew gets back what was dealt to it. */
    void bringHome(int subtask) {
        List<LaneSplit> away =
                placement.awayFrom(subtask).stream().filter(lane -> of(lane).isEmpty()).toList();
        if (!away.isEmpty()) {
            begin(away, subtask);
        }
    }

    private void advance() {
        while (!underWay && !moves.isEmpty()) {
            LaneMove next = moves.peek();
            if (isThere(next.target())) {
                underWay = true;
                context.sendEventToSourceReader(
                        next.target(), new LanesOffered(next.id(), next.lanes()));
            } else {
                end(next, gone(next.target()));
            }
        }
    }

    /** The move that is under way, if it is the one of that number. */
    private Optional<LaneMove> current(long id) {
        return underWay && moves.peek().id() == id ? Optional.of(moves.peek()) : Optional.empty();
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
                            move.target(), LaneSplit.words(move.lanes()), refusal));
            return;
        }
        move.accept(placement);
        for (int owner : move.awaited()) {
            if (isThere(owner)) {
                context.sendEventToSourceReader(
                        owner, new LanesRecalled(move.id(), move.awaitedOf(owner)));
            } else {
                lose(move, owner);
            }
        }
        endIfOver(move);
    }

    void released(int subtask, LanesReleased event) {
        current(event.move())
                .ifPresent(
                        move -> {
                            hand(move, subtask, move.free(subtask));
                            endIfOver(move);
                        });
    }

    /** Where the target has failed meanwhile, who let the lanes go has them again. */
    private void hand(LaneMove move, int from, List<LaneSplit> lanes) {
        int to = isThere(move.target()) ? move.target() : from;
        placement.give(lanes, to);
        if (isThere(to)) {
            context.assignSplits(new SplitsAssignment<>(Map.of(to, lanes)));
        }
    }

    /** A reader has failed. To be called before it is dealt to again. */
    void lost(int subtask) {
        if (!underWay) {
            return;
        }
        LaneMove move = moves.peek();
        if (!move.isAccepted()) {
            if (move.target() == subtask) {
                end(move, gone(subtask));
            }
        } else if (move.awaited().contains(subtask)) {
            lose(move, subtask);
            endIfOver(move);
        }
    }

    /** Notices readers that have failed and are not to start again yet. */
    void look() {
        if (underWay) {
            LaneMove move = moves.peek();
            List<Integer> concerned = new ArrayList<>(move.awaited());
            concerned.add(move.target());
            concerned.stream().filter(reader -> !isThere(reader)).forEach(this::lost);
        }
    }

    /** The failed reader's lanes are free, and trainers must not look for them there. */
    private void lose(LaneMove move, int owner) {
        List<LaneSplit> lanes = move.free(owner);
        if (isThere(move.target())) {
            removeServer.accept(owner);
        }
        hand(move, owner, lanes);
    }

    private void endIfOver(LaneMove move) {
        if (move.isOver()) {
            boolean all =
                    move.lanes().stream().allMatch(lane -> placement.owner(lane) == move.target());
            end(move, all ? null : gone(move.target()));
        }
    }

    private void end(LaneMove move, String reason) {
        moves.remove(move);
        underWay = false;
        if (reason == null) {
            LOG.info("Moved {} to reader {}", LaneSplit.words(move.lanes()), move.target());
        } else {
            LOG.warn(
                    "Did not move {} to reader {}: {}",
                    LaneSplit.words(move.lanes()),
                    move.target(),
                    reason);
        }
        move.outcome().complete(reason);
        advance();
    }

    /** The run is done: no lane moves any more. */
    void stop() {
        underWay = false;
        moves.forEach(move -> move.outcome().complete("the run is done"));
        moves.clear();
    }

    private static String gone(int subtask) {
        return String.format(
                "reader %d is not there: its task has failed and not started again yet", subtask);
    }

    boolean isThere(int subtask) {
        return context.registeredReaders().containsKey(subtask);
    }
}
