package io.lockstep.handoff.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of groups, and the calls that wait for them. */
class HeldStepsTest {

    private static final LaneGroup ALL = group(0, 0, 1, 2);
    private static final LaneGroup FIRST = group(0, 0, 1);

    private final List<Want> wants = new ArrayList<>();
    private final HeldSteps held = new HeldSteps(wants::addAll);
    private final Set<GroupStep> open = new HashSet<>();

    @AfterEach
    void everyStepIsClosed() {
        held.close();
        assertThat(open).isEmpty();
    }

    @Test
    void aCallGetsItsStep() {
        assign(3);
        PendingTake take = held.take(request(ALL, 4, 8));
        assertThat(take.result()).isNotDone();
        held.offer(step(ALL, 4));
        assertThat(take.result().join().position()).isEqualTo(4);
        held.served(take.request());
        take.result().join().close();
        assertThat(wants).containsExactly(new Want(ALL, 4, 8), new Want(ALL, 5, 8));
    }

    @Test
    void aStepThatIsNotWantedIsClosedAtOnce() {
        assign(3);
        held.want(request(ALL, 4, 8));
        held.offer(step(ALL, 3));
        held.offer(step(FIRST, 4));
        assertThat(open).isEmpty();
        assertThat(held.laneStats().get("train").get(0).dropped()).isEqualTo(2);
        assertThat(held.laneStats().get("train").get(2).dropped()).isEqualTo(1);
    }

    @Test
    void aStepThatTheSourceReclaimedIsAwaitedAgain() {
        assign(3);
        held.want(request(ALL, 4, 8));
        GroupStep reclaimed = step(ALL, 4);
        held.offer(reclaimed);
        reclaimed.reclaim();
        PendingTake take = held.take(request(ALL, 4, 8));
        assertThat(take.result()).isNotDone();
        GroupStep again = step(ALL, 4);
        held.offer(again);
        assertThat(take.result().join()).isSameAs(again);
        again.reclaim();
        assertThat(open).containsExactly(again);
        held.restore(again);
        again.reclaim();
        assertThat(open).isEmpty();
    }

    @Test
    void aRequestForOtherLanesReplacesTheGroup() {
        assign(3);
        PendingTake take = held.take(request(ALL, 4, 8));
        held.offer(step(ALL, 5));
        held.want(request(FIRST, 4, 8));
        assertThat(open).isEmpty();
        assertThatThrownBy(take.result()::join).hasCauseInstanceOf(NotYetException.class);
        PendingTake next = held.take(request(FIRST, 4, 8));
        held.offer(step(FIRST, 4));
        next.result().join().close();
    }

    @Test
    void aLaneThatGoesEndsItsGroup() {
        assign(3);
        PendingTake take = held.take(request(ALL, 4, 8));
        held.offer(step(ALL, 5));
        assertThat(assign(2)).isEmpty();
        assertThat(open).isEmpty();
        assertThatThrownBy(take.result()::join)
                .cause()
                .isInstanceOfSatisfying(
                        HandoffException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_HERE));
        assertThat(assign(0)).containsExactly(new StreamConsumer(1, 0, "train"));
    }

    @Test
    void aLaneOfAnotherRankIsRefused() {
        assign(3);
        held.want(request(FIRST, 4, 8));
        assertThatThrownBy(() -> held.want(request(group(1, 1, 2), 4, 8)))
                .hasMessageContaining("lane 1 of the stream 'train', which goes to rank 0");
        held.want(request(group(1, 2), 4, 8));
    }

    @Test
    void aNewGenerationFencesTheOlder() {
        assign(3);
        PendingTake take = held.take(request(ALL, 4, 8));
        held.offer(step(ALL, 5));
        held.generation(2);
        assertThat(open).isEmpty();
        assertThatThrownBy(take.result()::join).hasMessageContaining("generation 1");
        assertThatThrownBy(() -> held.want(request(ALL, 4, 8)))
                .isInstanceOf(HandoffException.class);
        held.want(request(new LaneGroup(2, 1, "train", List.of(0, 1)), 0, 1));
    }

    @Test
    void aRankThatLeavesWantsNothing() {
        assign(3);
        held.want(request(ALL, 4, 8));
        held.offer(step(ALL, 5));
        held.leave(1, 0, "train");
        assertThat(open).isEmpty();
        assertThat(wants.get(wants.size() - 1).isNone()).isTrue();
        held.want(request(group(1, 0), 4, 8));
    }

    @Test
    void aStepThatCannotBeHandedOverIsThereForTheNextCall() {
        assign(3);
        PendingTake take = held.take(request(ALL, 4, 8));
        held.offer(step(ALL, 4));
        held.restore(take.result().join());
        held.take(request(ALL, 4, 8)).result().join().close();
    }

    /** In any interleaving, a call gets its step in the end and all steps are released. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void anyInterleavingLeavesNothing(long seed) {
        Random random = new Random(seed);
        List<LaneGroup> groups = List.of(ALL, FIRST, group(0, 2), group(0, 1, 2));
        List<PendingTake> takes = new ArrayList<>();
        assign(3);
        for (int i = 0; i < 500; i++) {
            LaneGroup group = groups.get(random.nextInt(groups.size()));
            long from = random.nextInt(10);
            switch (random.nextInt(7)) {
                case 0 -> assign(random.nextInt(3) + 1);
                case 1 -> held.leave(1, 0, null);
                case 2 -> take(takes, request(group, from, from + 3));
                case 3 -> takes.forEach(held::expire);
                case 4 -> {
                    for (PendingTake take : takes) {
                        if (done(take) && random.nextBoolean()) {
                            held.served(take.request());
                            take.result().join().close();
                        } else if (done(take)) {
                            held.restore(take.result().join());
                        }
                    }
                    takes.removeIf(take -> take.result().isDone());
                }
                default -> held.offer(step(group, from));
            }
        }
        assign(3);
        PendingTake last = held.take(request(ALL, 7, 9));
        if (!last.result().isDone()) {
            held.offer(step(ALL, 7));
        }
        assertThat(last.result().join().position()).isEqualTo(7);
        last.result().join().close();
        takes.stream().filter(HeldStepsTest::done).forEach(take -> take.result().join().close());
    }

    private void take(List<PendingTake> takes, StepRequest request) {
        try {
            takes.add(held.take(request));
        } catch (HandoffException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NOT_HERE);
        }
    }

    private static boolean done(PendingTake take) {
        return take.result().isDone() && !take.result().isCompletedExceptionally();
    }

    private Set<StreamConsumer> assign(int lanes) {
        return held.assigned(
                IntStream.range(0, lanes).mapToObj(lane -> new LaneSplit("train", lane)).toList());
    }

    private static LaneGroup group(int rank, Integer... lanes) {
        return new LaneGroup(1, rank, "train", List.of(lanes));
    }

    private static StepRequest request(LaneGroup group, long position, long upTo) {
        return new StepRequest(group, Steps.TABLE, position, upTo);
    }

    private GroupStep step(LaneGroup group, long position) {
        GroupStep step = Steps.of(group, position, open::remove);
        open.add(step);
        return step;
    }
}
