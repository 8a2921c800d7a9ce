package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.runfile.RunFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
            "Run the embedded Flink job without trainers. Prints {\"run\": DIR, \"pid\": PID} once trainers can "
                    + "attach, with LOCKSTEP_RUN set to DIR. Ends when all trainers have closed."
        })
public final class ServeCommand implements Callable<Integer> {

    private static final long POLL_MILLIS = 10;

    private final Console console;

    @Spec private CommandSpec spec;

    @Mixin private RunOptions options;

    @Option(
            names = "--detach",
            description =
                    "Return once trainers can attach; the job goes on in the background, and its messages go to "
                            + "DIR/logs/serve.log.")
    private boolean detach;

    @Option(names = "--until-eof", description = "End the job when standard input ends, too.")
    private boolean untilEof;

    public ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        RunFile file = options.resolve();
        if (detach) {
            return detach(file);
        }
        try (FlinkTarget target = new EmbeddedFlink();
                PreparedRun run = PreparedRun.prepare(file, "serve", options.takeOver(), console)) {
            RunningJob job = target.submit(run);
            try (AtExit atExit = new AtExit(() -> end(job, target))) {
                CompletableFuture<Void> ended = job.ended().exceptionally(failure -> null);
                CompletableFuture<Object> end =
                        untilEof
                                ? CompletableFuture.anyOf(ended, endOfInput())
                                : CompletableFuture.anyOf(ended);
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

    private int detach(RunFile file) throws IOException, InterruptedException {
        if (untilEof) {
            throw new UsageException(
                    "--detach and --until-eof exclude each other: a detached job has no input");
        }
        List<String> arguments =
                new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
        arguments.removeIf(word -> word.split("=", 2)[0].equals("--detach"));
        RunFile run = PreparedRun.inDirectory(file);
        if (file.directory() == null) {
            arguments.addAll(arguments.indexOf("serve") + 1, List.of("--run", run.directory()));
        }
        return new DetachedServe(console).start(arguments, run.directory());
    }

    private void end(RunningJob job, FlinkTarget target) throws InterruptedException {
        console.print("lockstep: asked to end; stopping the job");
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
        JsonText.line(
                console.out(),
                json -> {
                    json.writeStartObject();
                    json.writeStringField("run", run.file().directory());
                    json.writeNumberField("pid", ProcessHandle.current().pid());
                    json.writeEndObject();
                });
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
                                console.print("standard input cannot be read: " + e.getMessage());
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
