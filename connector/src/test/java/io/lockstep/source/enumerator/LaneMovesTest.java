package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.split.LaneSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Moves lanes while the job runs, with failures and checkpoints in between. */
class LaneMovesTest {

    private static final int READERS = 3;
    private static final int LANES = 6;

    /** More messages than any move here needs. */
    private static final int MESSAGES = 12;

    private static final int OLD_OWNER = 0;
    private static final int TARGET = 2;

    /** The readers that fail. */
    private enum Victim {
        OLD_OWNER,
        TARGET,
        BOTH;

        List<Integer> readers() {
            return switch (this) {
                case OLD_OWNER -> List.of(LaneMovesTest.OLD_OWNER);
                case TARGET -> List.of(LaneMovesTest.TARGET);
                case BOTH -> List.of(LaneMovesTest.OLD_OWNER, LaneMovesTest.TARGET);
            };
        }
    }

    @TempDir private Path directory;

    private RunDirectory run;
    private TestRun files;
    private SimulatedReaders readers;

    @BeforeEach
    void startJob() throws Exception {
        files = TestRun.in(directory, LANES);
        run = files.directory();
        readers = start(null);
    }

    private SimulatedReaders start(EnumeratorState restored) {
        return files.start(READERS, restored);
    }

    @Test
    void aReaderThatReportsLanesFromElsewhereGetsItsOwn() {
        readers.fail(1);
        readers.reset(1);
        readers.register(1, List.of(new LaneSplit("train", 0), new LaneSplit("train", 5)));
        readers.deliverAll();

        assertThat(readers.lanes()).containsEntry(1, lanes(2, 3));
    }

    @Test
    void theCheckpointOfAnotherRunIsRefused() {
        readers.fail(1);
        readers.reset(1);
        List<LaneSplit> foreign = List.of(new LaneSplit("train", 2), new LaneSplit("images", 3));

        assertThatThrownBy(() -> readers.register(1, foreign))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("lane 3 of the stream 'images'")
                .hasMessageContaining(run.root())
                .hasMessageContaining("start from one of this run, or without");
    }

    @Test
    void lanesGoToTheReadersThatAreNamed() {
        readers.ask(1, move(List.of(0, 1), TARGET));
        readers.deliverAll();

        assertThat(readers.replies()).containsExactly(new Reply.Noted());
        assertThat(readers.lanes())
                .containsEntry(0, lanes())
                .containsEntry(1, lanes(2, 3))
                .containsEntry(2, lanes(0, 1, 4, 5));
    }

    @Test
    void severalReadersGetRunsOfLanes() {
        readers.ask(1, move(List.of(0, 1), 1, 2));
        readers.deliverAll();

        assertThat(readers.lanes())
                .containsEntry(0, lanes())
                .containsEntry(1, lanes(0, 2, 3))
                .containsEntry(2, lanes(1, 4, 5));
    }

    @Test
    void aRequestThatIsRepeatedTellsWhoIsAwaitedAndThenThatItIsDone() {
        readers.ask(1, move(List.of(0), TARGET));
        readers.deliver(); // the request, which sends an offer
        readers.ask(1, move(List.of(0), TARGET));
        readers.deliver(); // the offer
        readers.deliver(); // the request again
        readers.deliverAll();
        readers.ask(1, move(List.of(0), TARGET));
        readers.deliverAll();

        assertThat(readers.replies())
                .containsExactly(
                        new Reply.Pending(
                                "waiting for reader 2 to say whether it can take lane 0 of the"
                                        + " stream 'train'"),
                        new Reply.Noted(),
                        new Reply.Noted());
    }

    @Test
    void whatDoesNotFitStaysWhereItIs() {
        readers.refuse(TARGET, "the windows need 10 bytes and the cache holds 9");

        readers.ask(1, move(List.of(0, 1), TARGET));
        readers.deliverAll();

        assertThat(readers.replies())
                .containsExactly(
                        new Reply.Failure(
                                ErrorCode.REFUSED,
                                "reader 2 cannot take lanes 0, 1 of the stream 'train': the windows"
                                        + " need 10 bytes and the cache holds 9"));
        assertThat(readers.lanes()).containsEntry(0, lanes(0, 1)).containsEntry(2, lanes(4, 5));
    }

    @Test
    void wrongRequestsAreRefused() {
        readers.ask(1, move(List.of(0, 6, 7), TARGET));
        readers.ask(1, move(List.of(0), 3));
        readers.ask(1, move(List.of(0)));
        readers.deliverAll();

        assertThat(readers.replies())
                .containsExactly(
                        new Reply.Failure(
                                ErrorCode.BAD_REQUEST,
                                "\"lanes\" cannot be asked for: name one or more of 0 to 5 of the"
                                        + " stream 'train' in ascending order"),
                        refused("there is no reader 3: the job has the readers 0 to 2"),
                        refused("name a reader that the lanes are to go to"));
    }

    @Test
    void whatAFailedReaderHadCanBeMovedAtOnceAndComesHomeWithIt() throws Exception {
        run.writeSink(new SinkEntry(OLD_OWNER, "uri", "host-0", 5, "task", Map.of()));
        readers.fail(OLD_OWNER);
        readers.ask(1, move(List.of(0, 1), TARGET));
        readers.deliverAll();

        assertThat(readers.replies()).containsExactly(new Reply.Noted());
        assertThat(readers.lanes()).containsEntry(2, lanes(0, 1, 4, 5));
        // No trainer is sent to the dead server, whose attempt is higher than its successor's.
        assertThat(run.readSinks()).isEmpty();

        readers.reset(OLD_OWNER);
        readers.register(OLD_OWNER);
        readers.deliverAll();
        assertThat(readers.lanes()).containsEntry(0, lanes(0, 1)).containsEntry(2, lanes(4, 5));
    }

    @Test
    void nothingMovesToAReaderThatIsNotThere() {
        readers.fail(TARGET);
        readers.ask(1, move(List.of(0), TARGET));
        readers.deliverAll();

        assertThat(readers.replies())
                .containsExactly(
                        refused(
                                "reader 2 is not there: its task has failed and not started again"
                                        + " yet"));
        assertThat(readers.lanes()).containsEntry(0, lanes(0, 1));
    }

    /**
     * Fails readers after each number of messages, and restarts each of them at every later point.
     */
    @ParameterizedTest
    @EnumSource
    void noLaneIsLostOrDoubledWhoeverFailsWhenever(Victim victim) {
        for (int before = 0; before < MESSAGES; before++) {
            for (int between = 0; between < MESSAGES; between++) {
                readers = start(null);
                readers.ask(1, move(List.of(0, 1), TARGET));
                deliver(before);
                victim.readers().forEach(readers::fail);
                victim.readers().forEach(readers::reset);
                deliver(between);
                victim.readers().forEach(readers::register);
                readers.deliverAll();

                assertThat(dealt(readers)).as("after %d and %d", before, between).isEqualTo(all());
                readers.ask(1, move(List.of(0, 1), TARGET));
                readers.deliverAll();
                assertThat(readers.lanes().get(TARGET)).isEqualTo(lanes(0, 1, 4, 5));
            }
        }
    }

    /** Takes a checkpoint at every point, and ends the coordinator at every later point. */
    @Test
    void noLaneIsLostOrDoubledWhereTheCoordinatorGoesOnFromAnyCheckpoint() {
        for (int before = 0; before < MESSAGES; before++) {
            for (int between = 0; between < MESSAGES; between++) {
                readers = start(null);
                readers.ask(1, move(List.of(0, 1), TARGET));
                deliver(before);
                EnumeratorState checkpoint = readers.checkpoint();
                deliver(between);

                SimulatedReaders restored = start(checkpoint);

                assertThat(dealt(restored)).isEqualTo(all());
                assertThat(restored.lanes()).containsEntry(OLD_OWNER, lanes(0, 1));
            }
        }
    }

    @Test
    void aRunThatIsDoneMovesNothingMore() {
        for (int before = 0; before < MESSAGES; before++) {
            readers = start(null);
            readers.ask(
                    1,
                    new Request.Register("launch-" + before, 0, 1, "host", "instance", null, null));
            readers.deliverAll();
            long generation = ((Reply.Registered) readers.replies().get(0)).generation();
            readers.ask(1, move(List.of(0, 1), TARGET));
            deliver(before);
            readers.ask(1, new Request.Close(generation, 0));
            readers.deliverAll();

            assertThat(readers.getSplitAssignments().values())
                    .hasSize(READERS)
                    .allMatch(reader -> reader.hasReceivedNoMoreSplitsSignal());
        }
    }

    private void deliver(int messages) {
        for (int i = 0; i < messages; i++) {
            readers.deliver();
        }
    }

    private static Request.Move move(List<Integer> lanes, Integer... to) {
        return new Request.Move(new TreeMap<>(Map.of("train", lanes)), List.of(to));
    }

    private static Reply.OfRun refused(String why) {
        return new Reply.Failure(ErrorCode.REFUSED, why);
    }

    private static SortedSet<LaneSplit> lanes(int... numbers) {
        return new TreeSet<>(
                IntStream.of(numbers).mapToObj(lane -> new LaneSplit("train", lane)).toList());
    }

    private static List<LaneSplit> all() {
        return List.copyOf(lanes(IntStream.range(0, LANES).toArray()));
    }

    private static List<LaneSplit> dealt(SimulatedReaders readers) {
        return readers.lanes().values().stream().flatMap(SortedSet::stream).sorted().toList();
    }
}
