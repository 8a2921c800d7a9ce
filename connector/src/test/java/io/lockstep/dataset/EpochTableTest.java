package io.lockstep.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataset.EpochTable.Epoch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

/** Positions and steps of equal epochs, of epochs of different lengths, and of very many epochs. */
class EpochTableTest {

    private static final long LAST = Integer.MAX_VALUE - 1L;

    /** 5 epochs of 3 steps, 2 of 10, then some of 1. */
    private static final EpochTable GROWN =
            EpochTable.constant(3, 30, "a").from(5, 10, 100, "b").from(7, 1, 10, "c");

    @Test
    void epochsOfASealedDatasetAreEqual() {
        EpochTable table = EpochTable.constant(7, 70, "v");
        assertThat(table.isConstant()).isTrue();
        assertThat(table.of(0)).isEqualTo(new Epoch(0, 0, 7, 70, "v"));
        assertThat(table.of(3)).isEqualTo(new Epoch(3, 21, 7, 70, "v"));
        assertThat(table.at(20).epoch()).isEqualTo(2);
        assertThat(table.at(20).step(20)).isEqualTo(6);
        assertThat(table.at(21).epoch()).isEqualTo(3);
        assertThat(table.position(3, 6)).isEqualTo(27);
        assertThat(table.stepsOfFirst(3)).isEqualTo(21);
        assertThat(table.stepsOfFirst(0)).isZero();
    }

    @Test
    void epochsOfAGrowingDatasetHaveLengthsOfTheirOwn() {
        assertThat(GROWN.isConstant()).isFalse();
        assertThat(GROWN.range(4, 5))
                .containsExactly(
                        new Epoch(4, 12, 3, 30, "a"),
                        new Epoch(5, 15, 10, 100, "b"),
                        new Epoch(6, 25, 10, 100, "b"),
                        new Epoch(7, 35, 1, 10, "c"),
                        new Epoch(8, 36, 1, 10, "c"));
        assertThat(GROWN.stepsOfFirst(7)).isEqualTo(35);
    }

    @Test
    void positionsAndStepsAreEachOthersInverse() {
        long position = 0;
        for (Epoch epoch : GROWN.range(0, 20)) {
            for (long step = 0; step < epoch.steps(); step++, position++) {
                assertThat(GROWN.position(epoch.epoch(), step)).isEqualTo(position);
                assertThat(GROWN.at(position)).isEqualTo(epoch);
                assertThat(epoch.step(position)).isEqualTo(step);
            }
            assertThat(epoch.end()).isEqualTo(position);
        }
    }

    @Test
    void asManyEpochsAsAnIntNumbersHavePositions() {
        EpochTable table = EpochTable.constant(1L << 31, 1L << 40, "v");
        assertThat(table.count()).isEqualTo(LAST + 1);
        Epoch last = table.of(LAST);
        assertThat(last.first()).isEqualTo(LAST << 31);
        assertThat(table.at(last.end() - 1)).isEqualTo(last);
        assertThat(table.stepsOfFirst(Long.MAX_VALUE)).isEqualTo(last.end());
        assertThat(table.range(LAST, 1024)).containsExactly(last);
        assertThatThrownBy(() -> table.of(LAST + 1)).hasMessageContaining("0 to 2147483646");
        assertThatThrownBy(() -> table.at(last.end()))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void epochsThatWouldOverflowDoNotExist() {
        long steps = Long.MAX_VALUE / 3;
        EpochTable table = EpochTable.constant(steps, steps, "v");
        assertThat(table.count()).isEqualTo(3);
        assertThat(table.of(2).end()).isPositive();
        assertThat(table.has(3)).isFalse();
        assertThatThrownBy(() -> table.at(Long.MAX_VALUE))
                .hasMessageContaining("no epoch has a step at position 9223372036854775807");

        EpochTable grown = EpochTable.constant(1, 1, "a").from(5, Long.MAX_VALUE - 5, 9, "b");
        assertThat(grown.count()).isEqualTo(6);
        assertThat(grown.of(5).end()).isEqualTo(Long.MAX_VALUE);
        assertThat(grown.at(Long.MAX_VALUE - 1).epoch()).isEqualTo(5);
    }

    @Test
    void whatDoesNotExistIsRefused() {
        assertThat(GROWN.has(-1)).isFalse();
        assertThatThrownBy(() -> GROWN.of(-1)).hasMessageContaining("no epoch -1");
        assertThatThrownBy(() -> GROWN.at(-1)).hasMessageContaining("position -1");
        assertThatThrownBy(() -> GROWN.position(0, -1)).hasMessageContaining("no step -1");
        assertThatThrownBy(() -> GROWN.position(4, 3))
                .hasMessage("there is no step 3 in epoch 4: it has the steps 0 to 2");
        assertThatThrownBy(() -> EpochTable.constant(0, 5, "v"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GROWN.from(7, 1, 1, "d"))
                .hasMessage("epoch 7 is not later than epoch 7");
    }

    @Test
    void travelsToTheReaders() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(GROWN);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(GROWN);
        }
    }
}
