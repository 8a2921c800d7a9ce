package io.lockstep.cli.run;

import io.lockstep.TemporaryDirectories;
import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.ownership.OwnerOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@code serve} in a process and session of its own, which outlives this process and its
 * terminal. Its messages go to {@code logs/serve.log} of the run directory, or to a temporary file
 * if the run directory is remote.
 */
final class DetachedServe {

    private static final String MAIN = "io.lockstep.cli.Main";
    private static final long POLL_MILLIS = 50;

    private final Console console;

    DetachedServe(Console console) {
        this.console = console;
    }

    /**
     * Starts it and waits until trainers can attach, then prints what it announced. Until then its
     * messages are shown here, and ending this process ends it.
     *
     * @param arguments of the command
     * @param directory of the run
     * @return the exit code: 0, or that of the other process if it ended before
     */
    int start(List<String> arguments, String directory) throws IOException, InterruptedException {
        if (!directory.startsWith("/")) {
            return start(arguments, temporaryLog());
        }
        Path logs = Path.of(directory, "logs");
        Path log = logs.resolve("serve.log");
        RunLock lock = RunLock.take(Path.of(directory), "serve --detach");
        boolean first = !Files.exists(log);
        Files.createDirectories(logs);
        // The other process takes it.
        lock.close();
        int status = start(arguments, log);
        if (status != 0 && first) {
            lock.withdraw(log, logs);
        }
        return status;
    }

    private static Path temporaryLog() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Path common = TemporaryDirectories.ofUser(temporary, "serve");
        OwnerOnly.ensureDirectory(common);
        return Files.createTempFile(common, "serve-", ".log");
    }

    private int start(List<String> arguments, Path log) throws IOException, InterruptedException {
        Process process = launch(arguments, log);
        try (AtExit atExit = new AtExit(process::destroy);
                InputStream messages = Files.newInputStream(log, StandardOpenOption.CREATE);
                BufferedReader results = process.inputReader(StandardCharsets.UTF_8)) {
            while (process.isAlive() && !results.ready()) {
                messages.transferTo(console.err());
                Thread.sleep(POLL_MILLIS);
            }
            messages.transferTo(console.err());
            String announced = results.readLine();
            if (announced == null) {
                return process.waitFor();
            }
            console.print("lockstep: it serves in the background; its messages go to " + log);
            console.out().println(announced);
            console.out().flush();
            return 0;
        }
    }

    private static Process launch(List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(ownJvm());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectError(ProcessBuilder.Redirect.to(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UserException(
                    "'serve --detach' cannot start a process: "
                            + e.getMessage()
                            + "; 'setsid' (util-linux) is needed",
                    e);
        }
    }

    /** The command line of this JVM up to its main class. */
    private static List<String> ownJvm() throws IOException {
        List<String> words =
                Arrays.asList(Files.readString(Path.of("/proc/self/cmdline")).split("\0"));
        return words.subList(0, words.indexOf(MAIN) + 1);
    }
}
