package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** Each entry of the command's log is one line, with an exception or without. */
class LogLayoutTest {

    @Test
    void anEntryIsOneLine() throws IOException {
        assertThat(format(null)).matches("\\d\\d:\\d\\d:\\d\\d WARN  Cache a disk is full\\n");
        assertThat(format(new IOException("no space")))
                .matches("\\d\\d:\\d\\d:\\d\\d WARN  Cache a disk is full: no space\\n");
    }

    private static String format(Throwable thrown) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = LogLayoutTest.class.getResourceAsStream("/log4j2.properties")) {
            properties.load(in);
        }
        PatternLayout layout =
                PatternLayout.newBuilder()
                        .withPattern(properties.getProperty("appender.err.layout.pattern"))
                        .build();
        return layout.toSerializable(
                Log4jLogEvent.newBuilder()
                        .setLoggerName("io.lockstep.cache.Cache")
                        .setLevel(Level.WARN)
                        .setMessage(new SimpleMessage("a disk is full"))
                        .setThrown(thrown)
                        .build());
    }
}
