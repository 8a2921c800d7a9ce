package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Entry point of the command. */
public final class Main {

    private Main() {}

    /** Runs the command, then exits the JVM even if other threads still run. */
    public static void main(String[] args) {
        PrintStream out =
                new PrintStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                        false,
                        StandardCharsets.UTF_8);
        // JDK 17 uses the locale's charset, which prints question marks in the C locale.
        PrintStream err =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Console console = new Console(out, err, System.console() != null, Console.areTogether());
        int status = Lockstep.run(console, args);
        out.flush();
        System.exit(status);
    }
}
