package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.runfile.RunFileReference;
import io.lockstep.testing.TestPython;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Checks that the reference matches the code. After a change of keys or verbs, regenerate it with
 * {@code mvn -pl cli -am test -Dtest=ReferenceTest -Dlockstep.reference.write=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ReferenceTest {

    private static final int WIDTH = 100;

    @Test
    void theReferenceIsThatOfTheCode() throws IOException {
        Path page = TestPython.root().resolve("docs/reference.md");
        String reference = reference();
        if (Boolean.getBoolean("lockstep.reference.write")) {
            Files.writeString(page, reference);
        }

        assertThat(page).content(StandardCharsets.UTF_8).isEqualTo(reference);
    }

    private static String reference() {
        StringBuilder text = new StringBuilder("# Reference\n\n");
        text.append("This page is made from the code (`ReferenceTest`).\n\n");
        text.append("## The run file\n\n");
        text.append("YAML. Every key has a default but `data` and `batch`.\n\n");
        text.append(RunFileReference.markdown());
        text.append("## The command\n\n");
        Console console = new Console(sink(), sink(), false, false);
        CommandLine command = Lockstep.commandLine(console);
        append(text, command);
        return text.toString();
    }

    private static void append(StringBuilder text, CommandLine command) {
        command.setUsageHelpWidth(WIDTH);
        text.append("### `")
                .append(command.getCommandSpec().qualifiedName())
                .append("`\n\n```text\n");
        String usage = command.getUsageMessage(Ansi.OFF).replace(System.lineSeparator(), "\n");
        text.append(usage.stripTrailing()).append("\n```\n\n");
        for (Map.Entry<String, CommandLine> verb : command.getSubcommands().entrySet()) {
            if (!verb.getKey().equals("help")) {
                append(text, verb.getValue());
            }
        }
    }

    private static PrintStream sink() {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }
}
