package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Lanes;
import io.lockstep.batch.RandomRows;
import io.lockstep.dataset.EpochTable;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which step of a group is made next, and in which order steps are emitted. */
class GroupProgressTest {

    private static final LaneGroup GROUP = new LaneGroup(1, 0, "train", List.of(0, 1));
    private static final EpochTable TABLE = EpochTable.constant(100, 100, "");

    private final BufferAllocator allocator = Allocators.root(1 << 20);
    private final List<GroupStep> steps = new ArrayList<>();
    private final List<GroupStep> unwanted = new ArrayList<>();
    private boolean open = true;
    private final GroupProgress progress = new GroupProgress(GROUP, at -> open, 100, 2, 3);

    @AfterEach
    void nothingLeaks() {
        steps.forEach(GroupStep::close);
        allocator.close();
    }

    @Test
    void takesTheNextStepOnceTheRowsOfTheFormerAreChosen() {
        want(4, 10);
        assertThat(begin()).isEqualTo(4);
        assertThat(progress.next()).isEqualTo(-1);
        progress.selected(4);
        assertThat(progress.next()).isEqualTo(5);
        assertThat(progress.ahead()).isEqualTo(1);
    }

    @Test
    void opensNoFurtherWindowsWhileAStepIsGathered() {
        want(0, 10);
        begin();
        progress.selected(0);
        open = false;
        assertThat(progress.next()).isEqualTo(-1);
        made(0);
        assertThat(progress.next()).isEqualTo(1);
    }

    @Test
    void hasAtMostThatManyInTheMaking() {
        want(0, 10);
        for (int step = 0; step < 3; step++) {
            progress.selected(begin());
        }
        assertThat(progress.next()).isEqualTo(-1);
        assertThat(made(2)).isEmpty();
        assertThat(made(0)).containsExactly(0L);
        assertThat(progress.next()).isEqualTo(3);
    }

    @Test
    void comesOutInOrder() {
        want(0, 10);
        for (int step = 0; step < 3; step++) {
            progress.selected(begin());
        }
        assertThat(made(1)).isEmpty();
        assertThat(made(2)).isEmpty();
        assertThat(made(0)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aStepThatIsNotWantedAnyMoreHoldsNoneUp() {
        want(0, 10);
        progress.selected(begin());
        progress.selected(begin());
        made(1);
        assertThat(want(1, 10)).containsExactly(1L);
        assertThat(made(0)).isEmpty();
        assertThat(unwanted).extracting(GroupStep::position).containsExactly(0L);
    }

    /** The step was dropped as unwanted; a later want must not treat it as held. */
    @Test
    void aStepThatWasDroppedIsMadeAgain() {
        want(0, 10);
        for (int step = 0; step < 3; step++) {
            progress.selected(begin());
        }
        want(0, 1);
        made(2);
        made(1);
        made(0);
        assertThat(unwanted).hasSize(2);
        want(0, 10);
        assertThat(progress.next()).isEqualTo(1);
    }

    @Test
    void aRewindMakesWhatWasClosed() {
        want(0, 10);
        for (int step = 0; step < 3; step++) {
            progress.selected(begin());
            made(step);
        }
        want(3, 10);
        steps.forEach(progress::release);
        want(1, 10);
        assertThat(progress.next()).isEqualTo(1);
    }

    @Test
    void aClosedStepThatIsStillWantedIsMadeAgain() {
        want(0, 3);
        for (int step = 0; step < 3; step++) {
            progress.selected(begin());
            made(step);
        }
        assertThat(progress.next()).isEqualTo(-1);
        progress.release(steps.get(1));
        assertThat(progress.next()).isEqualTo(1);
    }

    @Test
    void afterItsEndNothingComesOut() {
        want(0, 10);
        progress.selected(begin());
        progress.end();
        assertThat(progress.next()).isEqualTo(-1);
        assertThat(made(0)).isEmpty();
        assertThat(unwanted).hasSize(1);
    }

    private List<Long> want(long from, long upTo) {
        progress.want(new Want(GROUP, from, upTo));
        return pollReady();
    }

    private long begin() {
        long position = progress.next();
        progress.begin(position);
        return position;
    }

    private List<Long> made(long position) {
        Schema columns = new Schema(List.of(Field.nullable("a", new ArrowType.Bool())));
        Random random = new Random(position);
        try (VectorSchemaRoot rows = RandomRows.root(columns, 4, random, allocator)) {
            GroupStep step =
                    new GroupStep(
                            GROUP,
                            position,
                            TABLE.at(position),
                            Lanes.gather(List.of(rows), 4, random, allocator),
                            null,
                            closed -> {});
            steps.add(step);
            progress.made(step);
        }
        return pollReady();
    }

    private List<Long> pollReady() {
        return progress.pollReady(unwanted).stream().map(GroupStep::position).toList();
    }
}
