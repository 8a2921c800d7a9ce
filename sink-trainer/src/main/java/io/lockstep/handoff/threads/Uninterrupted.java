package io.lockstep.handoff.threads;

/** Waits that must not be cut short: Flink interrupts the thread that closes a cancelled task. */
public final class Uninterrupted {

    private Uninterrupted() {}

    /** Something that waits, and may be begun again after an interrupt. */
    @FunctionalInterface
    public interface Waiting {
        void run() throws InterruptedException;
    }

    /** Runs it to its end; the thread is interrupted afterwards if it was meanwhile. */
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
