package io.lockstep.cli.run;

/** Does something when this process is ended from outside, until it is closed. */
final class AtExit implements AutoCloseable {

    /** An action that takes its time. */
    interface Ending {
        void run() throws InterruptedException;
    }

    private final Thread hook;

    /**
     * @param ending runs beside other threads of the process, which goes on until it returns
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
            // The JVM is going down: the hook runs, and does what is left to do.
        }
    }
}
