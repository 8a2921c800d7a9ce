package io.lockstep.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Python with pyarrow that tests compare with: {@code LOCKSTEP_PYTHON}, else the checkout's
 * {@code .venv}, else {@code python3} on the path.
 */
public final class TestPython {

    private TestPython() {}

    /** The interpreter. */
    public static String interpreter() {
        String named = System.getenv("LOCKSTEP_PYTHON");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        Path own = root().resolve(".venv/bin/python");
        return Files.isExecutable(own) ? own.toString() : "python3";
    }

    /** The checkout: the nearest folder upwards that holds the command. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("sink-trainer/python"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("the tests do not run inside a checkout");
        }
        return folder;
    }

    /**
     * Runs a script of the test resources, {@code /python/NAME}, and returns what it prints.
     *
     * @throws AssertionError with the script's output if it fails
     */
    public static String runResource(String name, Object... arguments)
            throws IOException, InterruptedException {
        try (InputStream in = TestPython.class.getResourceAsStream("/python/" + name)) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return run(
                    script, Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        }
    }

    /**
     * Runs a script and returns what it prints.
     *
     * @throws AssertionError with the script's output if it fails
     */
    public static String run(String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(interpreter(), "-c", script));
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile("python", ".err");
        try {
            Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new AssertionError(
                        interpreter()
                                + " ended with status "
                                + status
                                + " (it needs pyarrow; './lockstep test' installs it):\n"
                                + Files.readString(errors));
            }
            return output;
        } finally {
            Files.delete(errors);
        }
    }
}
