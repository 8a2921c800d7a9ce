package io.lockstep.transform.registry;

import static io.lockstep.transform.Table.spec;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.Table;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each mistake in the transforms of a stream is one message that names the transform. */
class TransformRegistryTest {

    @Test
    void aKindThatDoesNotExistIsRefusedWithTheNearest() {
        refused("There is no transform 'clp'. Did you mean \"clip\"?", spec("clp", "{}"));
    }

    @Test
    void twoOfOneNameAreRefused() {
        TransformSpec clip = spec("clip", "{'columns': 'x', 'low': 0}");
        refused(
                "Two transforms have the name 'clip'; give one of them another by 'name'.",
                clip,
                clip);
    }

    @Test
    void parametersAreChecked() {
        refused(
                "The transform 'clip': unknown parameter 'lo'. Did you mean \"low\"?",
                spec("clip", "{'columns': 'x', 'lo': 0}"));
        refused(
                "The transform 'clip': it needs the parameter 'columns'",
                spec("clip", "{'low': 1}"));
        refused(
                "The transform 'clip': the parameter 'low' is \"a\"; it must be a number",
                spec("clip", "{'columns': 'x', 'low': 'a'}"));
        refused(
                "The transform 'clip': 'low' is 2.0, above 'high', 1.0",
                spec("clip", "{'columns': 'x', 'low': 2, 'high': 1}"));
        refused("The transform 'clip': its parameters must be a group of keys", spec("clip", "3"));
        refused(
                "The transform 'pack': the parameter 'nulls' is \"drop\"; it must be one of refuse,"
                        + " mask",
                spec("pack", "{'columns': 'x', 'into': 'y', 'nulls': 'drop'}"));
    }

    @Test
    void aColumnThatDoesNotExistIsNamed() {
        try (Table table = new Table().column("fare", 1.0)) {
            assertThatThrownBy(() -> table.apply(spec("log1p", "{'columns': 'fair'}")))
                    .isInstanceOf(TransformException.class)
                    .hasMessage(
                            "The transform 'log1p': there is no column \"fair\". Did you mean"
                                    + " \"fare\"? The columns there are fare.");
        }
    }

    private static void refused(String message, TransformSpec... specs) {
        assertThatThrownBy(() -> TransformRegistry.chain("train", List.of(specs)))
                .isInstanceOf(TransformException.class)
                .hasMessageStartingWith(message);
    }
}
