package io.lockstep.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.GenerationEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ranks that are awaited before the first step. */
class AttendanceTest {

    private static final Duration SINCE = Duration.ofMillis(2500);

    @Test
    void withoutALaunchTheServersWait() {
        assertThat(Attendance.of(Optional.empty(), SINCE))
                .containsExactly("the servers wait for trainers since 2.5 s");
    }

    @Test
    void ranksThatHaveNotAttachedAreNamed() {
        assertThat(of(4, 2, List.of()))
                .containsExactly("the others wait since 2.5 s for ranks 2, 3 to attach");
    }

    @Test
    void ranksThatHaveNotStartedAStreamAgainAreNamed() {
        List<GenerationEntry.Start> starts =
                List.of(
                        start("eval", 0, 1),
                        start("eval", 1, 1),
                        start("train", 0, 2),
                        start("train", 1, 1));

        assertThat(of(2, 2, starts))
                .containsExactly("the others wait since 2.5 s for rank 1 to start train");
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
                        new GenerationEntry(1, "job", "launch", world, members, List.of(), starts)),
                SINCE);
    }
}
