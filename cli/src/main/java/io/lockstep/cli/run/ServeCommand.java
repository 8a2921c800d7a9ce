package io.lockstep.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.runfile.RunFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code lockstep serve}: runs the job only, for trainers that are started elsewhere, such as in a
 * notebook.
 */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "lockstep serve [--run=DIR] FILE",
            "       lockstep serve --data=PATH --batch=N [OPTIONS]"
        },
        description = {
            "Run the embedded Flink job without trainers. Prints the run directory as {\"run\": DIR}; trainers "
                    + "attach with LOCKSTEP_RUN set to it. Ends when all trainers have closed, or when standard "
                    + "input ends."
        })
public final class ServeCommand implements Callable<Integer> {

    private static final long POLL_MILLIS = 10;

    private final Console console;

    @Mixin private RunOptions options;

    public ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        RunFile file = options.resolve();
        try (FlinkTarget target = new EmbeddedFlink();
                PreparedRun run = PreparedRun.prepare(file, "serve", console)) {
            RunningJob job = target.submit(run);
            try (AtExit atExit = new AtExit(() -> end(job, target))) {
                CompletableFuture<Object> end =
                        CompletableFuture.anyOf(
                                job.ended().exceptionally(failure -> null), endOfInput());
                if (serves(run, end)) {
                    announce(run);
                    end.join();
                }
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

    private void end(RunningJob job, FlinkTarget target) throws InterruptedException {
        console.say("lockstep: asked to end; stopping the job");
        job.cancel();
        target.close();
    }

    /** Waits until a server is up or the job has ended. */
    private static boolean serves(PreparedRun run, CompletableFuture<Object> end)
            throws IOException, InterruptedException, ExecutionException {
        while (run.directory().readSinks().isEmpty()) {
            try {
                end.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
                return false;
            } catch (TimeoutException e) {
                // Neither yet.
            }
        }
        return true;
    }

    private void announce(PreparedRun run) throws IOException {
        String directory = run.file().directory();
        console.out().println(new ObjectMapper().writeValueAsString(Map.of("run", directory)));
        console.out().flush();
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
                            } finally {
                                ended.complete(null);
                            }
                        },
                        "lockstep-input");
        reader.setDaemon(true);
        reader.start();
        return ended;
    }
}
