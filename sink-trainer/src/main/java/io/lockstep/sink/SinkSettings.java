package io.lockstep.sink;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How the servers of a sink are reached, and what they record.
 *
 * @param bind the address to listen on: loopback where all trainers run on the same machine
 * @param ports the ports of a host to listen on; each of its tasks needs one
 * @param digests how long the digests of what was served and consumed are kept
 */
@PublicEvolving
public record SinkSettings(String bind, PortRange ports, DigestRetention digests)
        implements Serializable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY = "0.0.0.0";

    /** For trainers of other hosts too: all addresses, any port. */
    public static SinkSettings cluster() {
        return new SinkSettings(ANY, PortRange.any(), DigestRetention.KEEP);
    }

    /** For trainers of this machine only. */
    public static SinkSettings local() {
        return new SinkSettings(LOOPBACK, PortRange.any(), DigestRetention.KEEP);
    }

    /** The same, with digests kept for another time. */
    public SinkSettings with(DigestRetention retention) {
        return new SinkSettings(bind, ports, retention);
    }

    /** The same, on other ports. */
    public SinkSettings on(PortRange otherPorts) {
        return new SinkSettings(bind, otherPorts, digests);
    }

    /** The name that trainers are given, for a task manager of that name. */
    String advertised(String taskManager) {
        return bind.equals(ANY) ? taskManager : bind;
    }
}
