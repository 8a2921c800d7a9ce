package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.TestPython;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Checks that the list of transforms in {@code docs/transforms.md} matches the code. After a change
 * of a kind, regenerate it like the reference: {@link ReferenceTest}.
 */
class TransformsPageTest {

    private static final String START =
            "<!-- The rest is made from the code (TransformsPageTest). -->\n";

    @Test
    void thePageListsTheKindsOfTheCode() throws IOException {
        Path page = TestPython.root().resolve("docs/transforms.md");
        String text = Files.readString(page);
        String expected = text.substring(0, text.indexOf(START)) + START + kinds();
        if (Boolean.getBoolean("lockstep.reference.write")) {
            Files.writeString(page, expected);
        }

        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    private static String kinds() {
        StringBuilder text = new StringBuilder();
        for (Kind kind : TransformRegistry.kinds()) {
            text.append("\n### `").append(kind.name()).append("`\n\n");
            text.append(kind.summary()).append('\n');
            if (!kind.parameters().isEmpty()) {
                text.append("\n| parameter | value | meaning |\n| --- | --- | --- |\n");
                kind.parameters().forEach(parameter -> append(text, parameter));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Parameter<?> parameter) {
        text.append("| `").append(parameter.name()).append("` | ");
        text.append(parameter.type().words()).append(" | ");
        text.append(parameter.meaning());
        text.append(parameter.required() ? " Required." : "").append(" |\n");
    }
}
