package io.lockstep.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command in a separate process, on the tests' class path. */
final class CommandProcess implements AutoCloseable {

    /** Reveals anything that waits for Flink's timers, as Flink's shutdown does. */
    private static final String SLOW_TIMERS = "-Dpekko.scheduler.tick-duration=120s";

    private final Process process;
    private final BufferedReader out;

    private CommandProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /**
     * @param errors file for its standard error
     */
    static CommandProcess start(Path errors, String... args) throws IOException {
        return start(errors, Path.of(System.getProperty("java.io.tmpdir")), args);
    }

    /**
     * @param errors file for its standard error
     * @param temporary directory for its temporary files
     */
    static CommandProcess start(Path errors, Path temporary, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add(SLOW_TIMERS);
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        return new CommandProcess(
                new ProcessBuilder(command).redirectError(errors.toFile()).start());
    }

    long pid() {
        return process.pid();
    }

    /** The next line of its standard output. */
    String line() throws IOException {
        return out.readLine();
    }

    void closeInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Asks it to end, as Ctrl-C and {@code kill} do, and leaves its input open. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Suspends all its threads until it is killed. */
    void freeze() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits for it to end and returns its exit code. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the command has not ended");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
