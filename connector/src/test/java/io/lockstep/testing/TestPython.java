package io.lockstep.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs Python scripts of the tests. The interpreter is that of the system property or environment
 * variable {@code LOCKSTEP_PYTHON}, else {@code .venv/bin/python} at the top of the repository,
 * else {@code python3} on the path. It needs pyarrow.
 */
public final class TestPython {

    private static final String SETTING = "LOCKSTEP_PYTHON";
    private static final long MINUTES = 5;

    private static String checked;

    private TestPython() {}

    /** The interpreter, once it is known that it has pyarrow. */
    public static synchronized String interpreter() {
        if (checked == null) {
            String python = find();
            Result result = execute(List.of(python, "-c", "import pyarrow.parquet"));
            if (result.exitCode != 0) {
                throw new AssertionError(
                        python
                                + " has no pyarrow, which the tests compare with: install it, or name"
                                + " another Python by "
                                + SETTING
                                + ".\n"
                                + result.output);
            }
            checked = python;
        }
        return checked;
    }

    /**
     * Runs a script of the test resources' directory {@code python}.
     *
     * @return what it printed
     * @throws AssertionError where it fails, with what it printed
     */
    public static String run(String script, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(interpreter(), "-c", resource(script)));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Result result = execute(command);
        if (result.exitCode != 0) {
            throw new AssertionError(
                    script + " ended with " + result.exitCode + ":\n" + result.output);
        }
        return result.output;
    }

    private static String find() {
        String named = System.getProperty(SETTING, System.getenv(SETTING));
        if (named != null) {
            return named;
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path python = at.resolve(".venv/bin/python");
            if (Files.isExecutable(python) && Files.exists(at.resolve("build-tools"))) {
                return python.toString();
            }
        }
        return "python3";
    }

    private static String resource(String script) {
        try (InputStream in = TestPython.class.getResourceAsStream("/python/" + script)) {
            if (in == null) {
                throw new AssertionError("There is no script /python/" + script);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What a process left behind. */
    private record Result(int exitCode, String output) {}

    private static Result execute(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("Python did not end:\n" + output);
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new AssertionError("Python cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
