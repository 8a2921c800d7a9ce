package io.lockstep.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.cli.servers.ServerState;
import io.lockstep.protocol.Reply;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.SinkEntry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The numbers of ranks and steps. */
class StatusTextTest {

    @Test
    void oneRankAndOneStepAreInTheSingular() {
        assertThat(text(1, 1))
                .contains("generation 1: 1 of 1 rank attached, 0 finished")
                .contains("0 at grpc+tcp://a:1: 1 step held, 7 served");
    }

    @Test
    void moreAreInThePlural() {
        assertThat(text(2, 0))
                .contains("generation 1: 1 of 2 ranks attached, 0 finished")
                .contains("0 at grpc+tcp://a:1: 0 steps held, 7 served")
                .contains("7 steps recorded, records of 2 steps lost; the disk is full");
    }

    private static String text(int world, long held) {
        List<GenerationEntry.Member> ranks = List.of(new GenerationEntry.Member(0, "a", "i"));
        GenerationEntry generation =
                new GenerationEntry(1, "job", "token", world, ranks, List.of(), null);
        SinkEntry sink = new SinkEntry(0, "grpc+tcp://a:1", "a", 0, "task", Map.of());
        ServerState server =
                ServerState.answering(
                        sink, new Reply.Stats(Map.of(), 7, 7, 0, 0, held, 0, 0, 0, null));
        RunStatus status =
                new RunStatus(
                        "/run",
                        Optional.of(generation),
                        Map.of(),
                        Duration.ZERO,
                        List.of(server),
                        new Proof(7, 2, "the disk is full"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new StatusText(status, new PrintStream(out, true, StandardCharsets.UTF_8)).print();
        return out.toString(StandardCharsets.UTF_8);
    }
}
