package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.LineStream;
import io.lockstep.cli.console.MessageStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Entry point of the command. */
public final class Main {

    private Main() {}

    /** Runs the command, then exits the JVM even if other threads still run. */
    public static void main(String[] args) {
        boolean together = Console.shareDestination();
        LineStream.Cursor cursor = new LineStream.Cursor();
        OutputStream results = new FileOutputStream(FileDescriptor.out);
        PrintStream out =
                new PrintStream(
                        new BufferedOutputStream(
                                together ? new LineStream(results, cursor) : results, 1 << 16),
                        false,
                        StandardCharsets.UTF_8);
        PrintStream err = new MessageStream(new FileOutputStream(FileDescriptor.err), cursor);
        Console console = new Console(out, err, System.console() != null, together);
        int status = Lockstep.run(console, args);
        out.flush();
        System.exit(status);
    }
}
