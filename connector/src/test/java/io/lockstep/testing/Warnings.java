package io.lockstep.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings and errors that a class logs until this is closed. */
public final class Warnings implements AutoCloseable {

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level level;
    private final AbstractAppender appender;

    private Warnings(Logger logger) {
        this.logger = logger;
        this.level = logger.getLevel();
        this.appender =
                new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
                            messages.add(event.getMessage().getFormattedMessage());
                        }
                    }
                };
    }

    /** Listens to a class' logger. */
    public static Warnings of(Class<?> type) {
        Warnings warnings = new Warnings((Logger) LogManager.getLogger(type));
        warnings.appender.start();
        warnings.logger.addAppender(warnings.appender);
        // Afterwards, since adding an appender sets the level of the configuration, which is off.
        warnings.logger.setLevel(Level.WARN);
        return warnings;
    }

    /** What was logged so far. */
    public List<String> messages() {
        return messages;
    }

    @Override
    public void close() {
        logger.removeAppender(appender);
        logger.setLevel(level);
        appender.stop();
    }
}
