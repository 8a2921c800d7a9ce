package io.lockstep.cli.run;

/** Runs an action when this process is terminated from outside, until it is closed. */
final class AtExit implements AutoCloseable {

    /** An action that may take a while. */
    interface Ending {
        void run() throws InterruptedException;
    }

    private final Thread hook;

    /**
     * @param ending runs while the process's other threads continue; the process exits after it
     *     returns
     */
    AtExit(Ending ending) {
        hook = new Thread(() -> end(ending), "lockstep-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void end(Ending ending) {
        try {
            ending.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down: the hook runs anyway and does the rest.
        }
    }
}
