package io.lockstep.cli.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;

/** The environment variables of a rank. */
final class TrainerEnvironment {

    private static final String LOCAL = "127.0.0.1";
    private static final String LOCALE = "LC_ALL";
    private static final String OWN_LOCALE = "LOCKSTEP_LC_ALL";

    private TrainerEnvironment() {}

    /** The variables that all ranks of a launch share. */
    static Map<String, String> common(LaunchSpec spec, String launch) {
        Map<String, String> environment = new HashMap<>();
        environment.put("LOCKSTEP_RUN", spec.runDirectory());
        environment.put("LOCKSTEP_LAUNCH", launch);
        // Exit codes decide which ranks are done; the trainers do not tell by themselves.
        environment.put("LOCKSTEP_LAUNCHER", "run");
        environment.put("WORLD_SIZE", Integer.toString(spec.ranks()));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(spec.ranks()));
        environment.put("MASTER_ADDR", LOCAL);
        environment.put("MASTER_PORT", Integer.toString(freePort()));
        // Python buffers output to a pipe in blocks unless told otherwise.
        setDefault(environment, "PYTHONUNBUFFERED", "1");
        // Rank 0's progress line: rewritten in place on a terminal, else one line at a time.
        setDefault(environment, "LOCKSTEP_PROGRESS", System.console() == null ? "1" : "live");
        int cores = Runtime.getRuntime().availableProcessors();
        // Otherwise each rank's maths library would start one thread per core of the host.
        setDefault(
                environment,
                "OMP_NUM_THREADS",
                Integer.toString(Math.max(1, cores / spec.ranks())));
        return environment;
    }

    /** The variables that differ by rank. */
    static Map<String, String> of(int rank) {
        String number = Integer.toString(rank);
        return Map.of("RANK", number, "LOCAL_RANK", number);
    }

    /**
     * Gives a child's environment the locale that the user set: the script {@code lockstep} may
     * have changed it for this JVM.
     */
    static void restoreLocale(Map<String, String> environment) {
        String own = environment.remove(OWN_LOCALE);
        if (own != null && own.isEmpty()) {
            environment.remove(LOCALE);
        } else if (own != null) {
            environment.put(LOCALE, own);
        }
    }

    private static void setDefault(Map<String, String> environment, String name, String value) {
        if (System.getenv(name) == null) {
            environment.put(name, value);
        }
    }

    /**
     * A free port for the trainers' own process group; it may be taken again by the time they bind
     * it.
     */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOCAL))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on " + LOCAL, e);
        }
    }
}
