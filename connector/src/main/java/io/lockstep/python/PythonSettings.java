package io.lockstep.python;

import java.io.Serializable;
import java.time.Duration;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How the Python functions of a run are executed. Only the code affects what they compute.
 *
 * @param command the interpreter: a path, or a name on the PATH of each task manager; null for
 *     {@link #defaultCommand}
 * @param workers the most processes of a task manager; 0 for one per core
 * @param timeout after which a call of a function counts as hanging
 * @param memory the most bytes that a process may allocate; 0 for no limit
 * @param code the modules that travel with the run
 */
@PublicEvolving
public record PythonSettings(
        @Nullable String command, int workers, Duration timeout, long memory, PythonCode code)
        implements Serializable {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    /** Settings with defaults for everything, and no code. */
    public static PythonSettings defaults() {
        return new PythonSettings(null, 0, DEFAULT_TIMEOUT, 0, PythonCode.none());
    }

    /** Returns settings with other code. */
    public PythonSettings with(PythonCode other) {
        return new PythonSettings(command, workers, timeout, memory, other);
    }

    /** Returns settings with another number of processes. */
    public PythonSettings withWorkers(int most) {
        return new PythonSettings(command, most, timeout, memory, code);
    }

    /** The interpreter if none is set: {@code LOCKSTEP_PYTHON}, else {@code python}. */
    public static String defaultCommand() {
        String named = System.getenv("LOCKSTEP_PYTHON");
        return named == null || named.isEmpty() ? "python" : named;
    }

    /** The interpreter. */
    public String interpreter() {
        return command == null ? defaultCommand() : command;
    }

    /** The most processes. */
    public int resolveWorkers() {
        return workers > 0 ? workers : Runtime.getRuntime().availableProcessors();
    }
}
