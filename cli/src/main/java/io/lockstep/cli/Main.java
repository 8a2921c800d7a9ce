package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Where the JVM of the command starts. */
public final class Main {

    private Main() {}

    /** Runs the command, and ends the JVM whatever threads are left. */
    public static void main(String[] args) {
        PrintStream out =
                new PrintStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                        false,
                        StandardCharsets.UTF_8);
        // JDK 17 takes the charset of the locale, which in the locale C has question marks only.
        PrintStream err =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Console console = new Console(out, err, System.console() != null, Console.areTogether());
        int status = Lockstep.run(console, args);
        out.flush();
        System.exit(status);
    }
}
