package io.lockstep.sink;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import java.io.Serializable;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The addresses of a sink's servers, and the records that they keep.
 *
 * @param bind the address to listen on: loopback if all trainers run on the same machine; null for
 *     that of the task manager, {@code taskmanager.bind-host}, else all addresses
 * @param ports the ports of a host to listen on; each of its tasks needs one
 * @param digests how long to keep the digests of served and consumed steps
 * @param tls encrypts the calls; null for plain text
 */
@PublicEvolving
public record SinkSettings(
        @Nullable String bind, PortRange ports, DigestRetention digests, @Nullable TlsFiles tls)
        implements Serializable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY = "0.0.0.0";
    private static final String ANY_V6 = "::";

    /** For trainers on any host: listens where the task manager does, on any port. */
    public static SinkSettings cluster() {
        return new SinkSettings(null, PortRange.any(), DigestRetention.KEEP, null);
    }

    /** For trainers on this machine only. */
    public static SinkSettings local() {
        return new SinkSettings(LOOPBACK, PortRange.any(), DigestRetention.KEEP, null);
    }

    /** Returns a copy with another retention of digests. */
    public SinkSettings with(DigestRetention retention) {
        return new SinkSettings(bind, ports, retention, tls);
    }

    /** Returns a copy that listens on another address; on the same one if it is null. */
    public SinkSettings at(@Nullable String address) {
        return address == null ? this : new SinkSettings(address, ports, digests, tls);
    }

    /** Returns a copy with other ports. */
    public SinkSettings on(PortRange otherPorts) {
        return new SinkSettings(bind, otherPorts, digests, tls);
    }

    /** Returns a copy that encrypts with those files; null for plain text. */
    public SinkSettings encrypted(@Nullable TlsFiles files) {
        return new SinkSettings(bind, ports, digests, files);
    }

    /**
     * The address to listen on.
     *
     * @param taskManager the task manager's own address, if it has one
     */
    String bindOr(Optional<String> taskManager) {
        return bind != null ? bind : taskManager.orElse(ANY);
    }

    /** The host name to announce to trainers, for a task manager of that name. */
    String advertised(String taskManager) {
        return bind == null || bind.equals(ANY) || bind.equals(ANY_V6) ? taskManager : bind;
    }
}
