package io.lockstep.cli.console;

import io.lockstep.Plural;
import io.lockstep.manifest.Progress;

/** Reports progress while footers are read if that takes long, and warnings about the dataset. */
public final class FooterProgress implements Progress {

    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private final Console console;
    private long last = System.nanoTime();

    public FooterProgress(Console console) {
        this.console = console;
    }

    @Override
    public void footers(int done, int total) {
        long now = System.nanoTime();
        if (now - last >= PATIENCE_NANOS) {
            last = now;
            console.print("reading footers: " + done + " of " + Plural.of(total, "file"));
        }
    }

    @Override
    public void note(String sentence) {
        console.print(sentence);
    }
}
