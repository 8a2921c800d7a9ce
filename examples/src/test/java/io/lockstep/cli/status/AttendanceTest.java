package io.lockstep.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.GenerationEntry;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is awaited before the first step. */
class AttendanceTest {

    @Test
    void withoutALaunchTheServersWait() {
        assertThat(Attendance.of(Optional.empty()))
                .containsExactly("the servers wait for trainers");
    }

    @Test
    void ranksThatHaveNotAttachedAreNamed() {
        assertThat(of(4, 2, List.of()))
                .containsExactly("the others wait for rank 2, 3, which has not attached yet");
    }

    @Test
    void ranksThatHaveNotStartedAStreamAgainAreNamed() {
        List<GenerationEntry.Start> starts =
                List.of(
                        start("eval", 0, 1),
                        start("eval", 1, 1),
                        start("train", 0, 2),
                        start("train", 1, 1));

        assertThat(of(2, 2, starts)).containsExactly("the others wait for rank 1 to start train");
    }

    private static GenerationEntry.Start start(String stream, int rank, int round) {
        return new GenerationEntry.Start(stream, rank, round, new TreeMap<>());
    }

    private static List<String> of(int world, int attached, List<GenerationEntry.Start> starts) {
        List<GenerationEntry.Member> members =
                IntStream.range(0, attached)
                        .mapToObj(rank -> new GenerationEntry.Member(rank, "host", "instance"))
                        .toList();
        return Attendance.of(
                Optional.of(
                        new GenerationEntry(
                                1, "job", "launch", world, members, List.of(), starts)));
    }
}
