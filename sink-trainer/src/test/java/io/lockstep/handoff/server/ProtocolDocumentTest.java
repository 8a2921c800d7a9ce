package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Verb;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The protocol's document covers every verb and code. */
class ProtocolDocumentTest {

    @Test
    void namesEveryVerbEveryCodeAndTheVersion() throws Exception {
        String document = Files.readString(Path.of("..", "docs", "hand-off-protocol.md"));
        assertThat(document).startsWith("# The hand-off protocol, version " + Messages.PROTOCOL);
        for (Verb verb : Verb.values()) {
            assertThat(document).containsPattern("(?m)^### " + verb.wireName() + "\\b");
        }
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(document).contains("| `" + code.wireName() + "` |");
        }
    }
}
