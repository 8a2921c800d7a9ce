package io.lockstep.cli.run;

import io.lockstep.FileSystemOf;
import io.lockstep.Plural;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FooterProgress;
import io.lockstep.cli.runfile.Paths;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileWriter;
import io.lockstep.run.JobStore;
import io.lockstep.run.RunDirectory;
import io.lockstep.sink.SinkSettings;
import io.lockstep.sink.TrainingJob;
import io.lockstep.source.enumerator.StreamSealer;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * A run with its directory locked and its streams sealed: errors in its data or settings were
 * reported before anything started.
 *
 * @param lock of the directory; null if the directory is not on this machine
 */
record PreparedRun(RunFile file, List<StreamInfo> streams, @Nullable RunLock lock)
        implements AutoCloseable {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /**
     * Locks the directory, a new one if none is named, and seals the streams for a job.
     *
     * @param verb of the command that runs it
     * @param takeOver whether the run is taken from a job that serves it
     */
    static PreparedRun prepare(RunFile file, String verb, boolean takeOver, Console console)
            throws IOException {
        PreparedRun run = seal(inDirectory(file), verb, takeOver, console);
        try {
            // Trainers that start before the job must not try the servers of an earlier one.
            run.directory().clearSinks();
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    /**
     * Locks the directory and seals the streams in it; if either is refused, or a job serves the
     * run, removes whatever it created.
     */
    static PreparedRun seal(RunFile file, String verb, Console console) throws IOException {
        return seal(file, verb, false, console);
    }

    private static PreparedRun seal(RunFile file, String verb, boolean takeOver, Console console)
            throws IOException {
        RunLock lock =
                isLocal(file.directory()) ? RunLock.take(Path.of(file.directory()), verb) : null;
        try {
            // Check only: reads and writes below would report it in Flink's terms.
            FileSystemOf.path(new org.apache.flink.core.fs.Path(file.directory()));
            if (!takeOver) {
                OtherJob.refuse(new RunDirectory(file.directory()), Optional.empty());
            }
            return seal(file, lock, console);
        } catch (IOException | RuntimeException e) {
            if (lock != null) {
                lock.withdraw();
            }
            throw e;
        }
    }

    private static PreparedRun seal(RunFile file, @Nullable RunLock lock, Console console)
            throws IOException {
        try {
            RunDirectory directory = new RunDirectory(file.directory());
            RunDifference.check(file);
            List<StreamInfo> streams =
                    new StreamSealer(directory, new FooterProgress(console), true)
                            .seal(file.streams(), Map.of());
            directory.writeSettings(RunFileWriter.write(file));
            console.print("run directory: " + file.directory());
            for (StreamInfo stream : streams) {
                console.print(describe(stream));
                stream.order()
                        .warning()
                        .ifPresent(said -> console.print("stream " + stream.name() + ": " + said));
            }
            return new PreparedRun(file, streams, lock);
        } catch (IOException | RuntimeException e) {
            reportTo(file.directory(), e);
            throw e;
        }
    }

    /** Reports to the trainers of an earlier run in the directory why its job does not restart. */
    private static void reportTo(String directory, Exception failure) {
        try {
            JobStore job = new RunDirectory(directory).job();
            if (job.read().isPresent()) {
                job.report("", failure);
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** The run in its directory: a new one if none is named. */
    static RunFile inDirectory(RunFile file) {
        if (file.directory() != null) {
            return file;
        }
        String name = "runs/" + file.name() + "-" + LocalDateTime.now().format(TIME);
        return file.in(Paths.absolute(Path.of(""), name));
    }

    private static String describe(StreamInfo stream) {
        return String.format(
                Locale.ROOT,
                "stream %s: %s, %s of %s an epoch; %s, window %d, world sizes %s",
                stream.name(),
                Plural.of(stream.table().of(0).rows(), "row"),
                Plural.of(stream.table().of(0).steps(), "step"),
                Plural.of(stream.order().batch(), "sample"),
                Plural.of(stream.order().lanes(), "lane"),
                stream.order().window(),
                stream.order().worldSizes().toString().replaceAll("[\\[\\]]", ""));
    }

    private static boolean isLocal(String directory) {
        return directory.startsWith("/");
    }

    /** The Flink job of the run. */
    TrainingJob job(int parallelism, SinkSettings sinks) {
        return new TrainingJob(
                file.directory(),
                file.streams(),
                file.cache(),
                file.reader(),
                sinks.with(file.digests()).at(file.bind()).on(file.ports()).encrypted(file.tls()),
                parallelism,
                file.checkpointInterval());
    }

    RunDirectory directory() {
        return new RunDirectory(file.directory());
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
