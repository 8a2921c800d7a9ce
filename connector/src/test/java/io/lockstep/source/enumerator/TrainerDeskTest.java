package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerReply.Acknowledged;
import io.lockstep.source.feedback.TrainerReply.Awaited;
import io.lockstep.source.feedback.TrainerReply.Pending;
import io.lockstep.source.feedback.TrainerReply.Refused;
import io.lockstep.source.feedback.TrainerReply.Registered;
import io.lockstep.source.feedback.TrainerRequest;
import io.lockstep.source.feedback.TrainerRequest.Register;
import io.lockstep.source.feedback.TrainerRequest.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that wait for others are answered by the others' coming. */
class TrainerDeskTest {

    @TempDir private Path directory;

    private TrainerDesk desk;

    @BeforeEach
    void open() {
        RunDirectory run = new RunDirectory(directory.toString());
        GenerationRegistry trainers = new GenerationRegistry("job", false);
        CommitDesk.Slowly nothingIsCommitted =
                new CommitDesk.Slowly() {
                    @Override
                    public <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome) {
                        throw new AssertionError("nothing is committed here");
                    }
                };
        desk = new TrainerDesk(run, trainers, new CommitDesk(run, nothingIsCommitted, trainers));
    }

    @Test
    void rankZeroBringsTheOthersOfItsLaunchIn() {
        List<TrainerReply> one = ask(register("a", 1));
        List<TrainerReply> other = ask(register("b", 1));
        assertThat(one)
                .containsExactly(new Awaited("waiting for rank 0 of the launch a to register"));

        List<TrainerReply> zero = ask(register("a", 0));

        assertThat(zero).containsExactly(new Registered(1));
        assertThat(one).element(1).isEqualTo(new Registered(1));
        assertThat(other)
                .element(1)
                .isEqualTo(new Pending("another launch of the trainers has begun"));
    }

    @Test
    void theLastRankStartsAll() {
        ask(register("a", 0));
        ask(register("a", 1));
        List<TrainerReply> zero = ask(start(1, 0, "5"));
        assertThat(zero)
                .containsExactly(new Awaited("waiting for rank 1 to start the stream 'train'"));

        assertThat(ask(start(1, 1, "5"))).containsExactly(new Acknowledged());
        assertThat(zero).element(1).isEqualTo(new Acknowledged());
    }

    @Test
    void ranksThatStartApartAreAllRefused() {
        ask(register("a", 0));
        List<TrainerReply> zero = ask(start(1, 0, "5"));

        assertThat(ask(start(1, 1, "6"))).singleElement().isInstanceOf(Refused.class);
        assertThat(zero).element(1).isInstanceOf(Refused.class);
    }

    @Test
    void aRepeatedRequestIsAnsweredInThePlaceOfTheFormer() {
        ask(register("a", 0));
        List<TrainerReply> former = ask(start(1, 0, "5"));
        List<TrainerReply> repeated = ask(start(1, 0, "5"));

        ask(start(1, 1, "5"));

        assertThat(former).hasSize(1);
        assertThat(repeated).element(1).isEqualTo(new Acknowledged());
    }

    @Test
    void aNewLaunchEndsTheWaitOfTheFormer() {
        ask(register("a", 0));
        List<TrainerReply> zero = ask(start(1, 0, "5"));

        ask(register("b", 0));

        assertThat(((Refused) zero.get(1)).code()).isEqualTo("fenced");
    }

    private List<TrainerReply> ask(TrainerRequest request) {
        List<TrainerReply> replies = new ArrayList<>();
        desk.answer(request, replies::add);
        return replies;
    }

    private static Register register(String launch, int rank) {
        return new Register(launch, rank, 2, "host", "process " + rank);
    }

    private static Start start(long generation, int rank, String step) {
        return new Start(generation, rank, "train", 1, new TreeMap<>(Map.of("step", step)));
    }
}
