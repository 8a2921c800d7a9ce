package io.lockstep.handoff.threads;

/** Runs waits that must complete: Flink interrupts the thread that closes a cancelled task. */
public final class Uninterrupted {

    private Uninterrupted() {}

    /** A blocking action that can be restarted after an interrupt. */
    @FunctionalInterface
    public interface Waiting {
        void run() throws InterruptedException;
    }

    /** Runs it to completion, then restores the thread's interrupt flag. */
    public static void run(Waiting waiting) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    waiting.run();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
