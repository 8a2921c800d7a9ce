package io.lockstep.cli.console;

import io.lockstep.Plural;
import io.lockstep.manifest.Progress;
import java.util.ArrayList;
import java.util.List;

/** Reports progress while footers are read if that takes long, and warnings about the dataset. */
public final class FooterProgress implements Progress {

    private static final long PATIENCE_NANOS = 2_000_000_000L;

    /** A file beside the dataset's files. */
    public record Skipped(String path, String reason) {}

    private final Console console;
    private final List<Skipped> skipped = new ArrayList<>();
    private long last = System.nanoTime();

    public FooterProgress(Console console) {
        this.console = console;
    }

    @Override
    public void footers(int done, int total) {
        report("reading footers: " + done + " of " + Plural.of(total, "file"));
    }

    @Override
    public void rowGroups(int done, int total) {
        report("counting kept rows: " + done + " of " + Plural.of(total, "row group"));
    }

    @Override
    public void statistics(int pass, int done, int total) {
        report(
                "fitting transforms: "
                        + done
                        + " of "
                        + Plural.of(total, "row group")
                        + " in pass "
                        + (pass + 1));
    }

    private void report(String progress) {
        long now = System.nanoTime();
        if (now - last >= PATIENCE_NANOS) {
            last = now;
            console.print(progress);
        }
    }

    @Override
    public void skipped(List<String> paths, String reason) {
        paths.forEach(path -> skipped.add(new Skipped(path, reason)));
        String more = paths.size() == 1 ? "" : " and " + (paths.size() - 1) + " more";
        console.print("skipped " + paths.get(0) + more + ": " + reason);
    }

    /** The files that were skipped so far. */
    public List<Skipped> skipped() {
        return skipped;
    }
}
