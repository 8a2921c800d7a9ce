package io.lockstep.transform.python;

import io.lockstep.Futures;
import io.lockstep.python.PythonSettings;
import io.lockstep.transform.TransformException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The process of a worker. It ends with this JVM: its input closes. */
final class WorkerProcess {

    private static final long END_SECONDS = 5;
    private static final int SIGNALLED = 128;

    private final Process process;
    private final WorkerOutput output;

    private WorkerProcess(Process process, WorkerOutput output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it in the folder of the functions' modules.
     *
     * @throws TransformException if there is no such interpreter
     */
    static WorkerProcess start(int number, PythonSettings settings, Path code, Path socket) {
        ProcessBuilder builder =
                new ProcessBuilder(
                        settings.interpreter(),
                        "-m",
                        "lockstep.worker",
                        socket.toString(),
                        Long.toString(settings.memory()));
        builder.directory(code.toFile()).redirectErrorStream(true);
        setEnvironment(builder.environment());
        try {
            Process process = builder.start();
            return new WorkerProcess(process, new WorkerOutput(number, process.getInputStream()));
        } catch (IOException e) {
            throw new TransformException(
                    "the Python interpreter '"
                            + settings.interpreter()
                            + "' cannot be started ("
                            + e.getMessage()
                            + "): set python.command to one",
                    e);
        }
    }

    private static void setEnvironment(Map<String, String> environment) {
        environment.put("PYTHONUNBUFFERED", "1");
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("PYTHONFAULTHANDLER", "1");
        // There is a worker for each core.
        environment.putIfAbsent("OMP_NUM_THREADS", "1");
        String home = System.getProperty("lockstep.home");
        if (home != null) {
            // The package of the same checkout, where the interpreter has none.
            environment.merge(
                    "PYTHONPATH",
                    Path.of(home, "sink-trainer", "python").toString(),
                    (given, own) -> given + File.pathSeparator + own);
        }
    }

    /** Calls back once it has ended. */
    void onExit(Runnable action) {
        Futures.whenDone(process.onExit(), action);
    }

    long pid() {
        return process.pid();
    }

    /** Kills it and the processes that it started. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Kills it if it does not end soon, and tells how it ended, in a clause. */
    String ended() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                kill();
                process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
        return process.isAlive() ? "does not end" : how(process.exitValue());
    }

    /** Whether it ended by itself, and not by a signal. */
    boolean exited() {
        return !process.isAlive() && process.exitValue() < SIGNALLED;
    }

    private static String how(int exit) {
        return exit > SIGNALLED
                ? "was killed by signal " + (exit - SIGNALLED)
                : "ended with exit code " + exit;
    }

    /** The last lines that it printed, as the end of a message. */
    String printed() {
        List<String> lines = output.lastLines();
        return lines.isEmpty() ? "" : "; it printed last:\n  " + String.join("\n  ", lines);
    }
}
