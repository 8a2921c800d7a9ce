package io.lockstep.sink;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import java.io.Serializable;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How the servers of a sink are reached, and what they record.
 *
 * @param bind the address to listen on: loopback where all trainers run on the same machine; null
 *     for that of the task manager, {@code taskmanager.bind-host}, else all addresses
 * @param ports the ports of a host to listen on; each of its tasks needs one
 * @param digests how long the digests of what was served and consumed are kept
 * @param tls with which calls are encrypted; null for plain text
 */
@PublicEvolving
public record SinkSettings(
        @Nullable String bind, PortRange ports, DigestRetention digests, @Nullable TlsFiles tls)
        implements Serializable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY = "0.0.0.0";

    /** For trainers of other hosts too: where the task manager listens, any port. */
    public static SinkSettings cluster() {
        return new SinkSettings(null, PortRange.any(), DigestRetention.KEEP, null);
    }

    /** For trainers of this machine only. */
    public static SinkSettings local() {
        return new SinkSettings(LOOPBACK, PortRange.any(), DigestRetention.KEEP, null);
    }

    /** The same, with digests kept for another time. */
    public SinkSettings with(DigestRetention retention) {
        return new SinkSettings(bind, ports, retention, tls);
    }

    /** The same, on other ports. */
    public SinkSettings on(PortRange otherPorts) {
        return new SinkSettings(bind, otherPorts, digests, tls);
    }

    /** The same, encrypted with those files; null for plain text. */
    public SinkSettings encrypted(@Nullable TlsFiles files) {
        return new SinkSettings(bind, ports, digests, files);
    }

    /**
     * The address to listen on.
     *
     * @param taskManager the task manager's own, where it has one
     */
    String bindOr(Optional<String> taskManager) {
        return bind != null ? bind : taskManager.orElse(ANY);
    }

    /** The name that trainers are given, for a task manager of that name. */
    String advertised(String taskManager) {
        return bind == null || bind.equals(ANY) ? taskManager : bind;
    }
}
