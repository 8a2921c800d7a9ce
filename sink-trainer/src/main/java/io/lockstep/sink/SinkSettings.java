package io.lockstep.sink;

import java.io.Serializable;

/**
 * How the servers of a sink are reached.
 *
 * @param bind the address to listen on: loopback where all trainers run on the same machine
 * @param port the port to listen on; 0 for any that is free, which more than one task on a host
 *     need
 */
public record SinkSettings(String bind, int port) implements Serializable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY = "0.0.0.0";

    /** For trainers of other hosts too: all addresses, any port. */
    public static SinkSettings cluster() {
        return new SinkSettings(ANY, 0);
    }

    /** For trainers of this machine only. */
    public static SinkSettings local() {
        return new SinkSettings(LOOPBACK, 0);
    }

    /** The name that trainers are given, for a task manager of that name. */
    String advertised(String taskManager) {
        return bind.equals(ANY) ? taskManager : bind;
    }
}
