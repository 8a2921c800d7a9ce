package io.lockstep.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.UserException;
import io.lockstep.cli.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code lockstep serve}: the job alone, for trainers that somebody else starts, a notebook for
 * instance.
 */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "lockstep serve [--run=DIR] FILE",
            "       lockstep serve --data=PATH --batch=N [OPTIONS]"
        },
        description = {
            "Run the embedded Flink job without trainers: they attach with LOCKSTEP_RUN set to its run",
            "directory, which is printed as {\"run\": DIR}. It ends when the trainers have closed, or",
            "when its standard input ends."
        })
public final class ServeCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private RunOptions options;

    public ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        try (PreparedRun run = PreparedRun.prepare(options.resolve(), console)) {
            RunningJob job = new RunningJob(new EmbeddedFlink().submit(run));
            try {
                console.out()
                        .println(
                                new ObjectMapper()
                                        .writeValueAsString(Map.of("run", run.file().directory())));
                console.out().flush();
                CompletableFuture.anyOf(job.ended().exceptionally(failure -> null), endOfInput())
                        .join();
            } finally {
                job.cancel();
            }
            Optional<String> failure = job.failure();
            if (failure.isPresent()) {
                throw new UserException(failure.get());
            }
            return 0;
        }
    }

    private CompletableFuture<Void> endOfInput() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread reader =
                new Thread(
                        () -> {
                            try {
                                System.in.transferTo(OutputStream.nullOutputStream());
                            } catch (IOException e) {
                                console.say("standard input cannot be read: " + e.getMessage());
                            }
                            ended.complete(null);
                        },
                        "lockstep-input");
        reader.setDaemon(true);
        reader.start();
        return ended;
    }
}
