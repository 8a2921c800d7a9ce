package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the command in this JVM and captures its output. */
final class Cli {

    private Cli() {}

    /**
     * @param status the exit code
     * @param bytes standard output
     * @param err standard error
     */
    record Result(int status, byte[] bytes, String err) {

        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        List<String> lines() {
            return out().lines().toList();
        }
    }

    static Result run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream results = new PrintStream(out, false, StandardCharsets.UTF_8);
                PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            int status = Lockstep.run(new Console(results, messages, false, false), args);
            results.flush();
            return new Result(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
        }
    }
}
