package io.lockstep.handoff.flight;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each message that gRPC rejects for its size in one line. gRPC logs a stack trace, so a
 * client could fill the logs. In effect while any instance is open; else loggers, which live as
 * long as the JVM, would keep the class loader of a job. Thread-safe.
 */
final class RejectedMessages implements Filter, AutoCloseable {

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(RejectedMessages.class);

    /** A strong reference, else the logger could be collected with its filter. */
    private static final Logger GRPC = Logger.getLogger("io.grpc.netty.NettyServerStream");

    private static int open;
    private static Filter former;

    private RejectedMessages() {}

    static RejectedMessages log() {
        RejectedMessages filter = new RejectedMessages();
        synchronized (RejectedMessages.class) {
            if (open++ == 0) {
                former = GRPC.getFilter();
                GRPC.setFilter(filter);
            }
        }
        return filter;
    }

    @Override
    public boolean isLoggable(LogRecord record) {
        if (record.getThrown() instanceof StatusRuntimeException rejected
                && rejected.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
            LOG.warn("Rejected a message of a client: {}", rejected.getStatus().getDescription());
            return false;
        }
        return true;
    }

    @Override
    public void close() {
        synchronized (RejectedMessages.class) {
            if (--open == 0) {
                GRPC.setFilter(former);
                former = null;
            }
        }
    }
}
