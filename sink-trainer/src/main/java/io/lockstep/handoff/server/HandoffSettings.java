package io.lockstep.handoff.server;

import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.run.RunToken;
import java.nio.file.Path;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * The settings of a hand-off server.
 *
 * @param run the run directory, as trainers see it
 * @param task the task's attempt, never used twice
 * @param token that every call has to carry
 * @param tls null for calls that are not encrypted
 * @param bind the address to listen on, {@code 0.0.0.0} or a loopback address for instance
 * @param host the name under which trainers reach this host
 * @param ports the server listens on the first free one
 * @param sharedMemory the directory in memory for trainers of this host
 * @param slots the most batches in shared memory at a time, for each stream of each trainer
 */
public record HandoffSettings(
        String run,
        String task,
        RunToken token,
        @Nullable TlsFiles tls,
        String bind,
        String host,
        PortRange ports,
        Path sharedMemory,
        int slots) {

    /** The directory of Linux's memory file system. */
    public static final Path DEV_SHM = Path.of("/dev/shm");

    /** Enough for a trainer that copies one batch while it waits for the next. */
    public static final int DEFAULT_SLOTS = 4;

    public HandoffSettings {
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(bind, "bind");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(ports, "ports");
        Objects.requireNonNull(sharedMemory, "sharedMemory");
        if (slots < 1) {
            throw new IllegalArgumentException("a connection needs at least 1 slot, not " + slots);
        }
    }

    /** The defaults: any free port, {@code /dev/shm}, 4 slots. */
    public static HandoffSettings of(
            String run, String task, RunToken token, String bind, String host) {
        return new HandoffSettings(
                run, task, token, null, bind, host, PortRange.any(), DEV_SHM, DEFAULT_SLOTS);
    }
}
