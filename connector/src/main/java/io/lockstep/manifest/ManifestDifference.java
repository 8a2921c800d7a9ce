package io.lockstep.manifest;

import io.lockstep.Plural;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Says in words how one dataset differs from another. */
public final class ManifestDifference {

    private ManifestDifference() {}

    /** The first file, in canonical order, that is not the same. */
    public static String first(Manifest former, Manifest now) {
        List<Shard> old = former.shards();
        List<Shard> current = now.shards();
        for (int i = 0; i < Math.min(old.size(), current.size()); i++) {
            Shard was = old.get(i);
            Shard is = current.get(i);
            int order = Arrays.compareUnsigned(utf8(was.path()), utf8(is.path()));
            if (order < 0) {
                return "file " + was.path() + " is gone";
            } else if (order > 0) {
                return "file " + is.path() + " is new";
            } else if (was.length() != is.length()
                    || !was.footerSha256().equals(is.footerSha256())) {
                return String.format(
                        "file %s has other content (%s -> %s)",
                        was.path(),
                        Plural.of(was.length(), "byte"),
                        Plural.of(is.length(), "byte"));
            }
        }
        if (old.size() > current.size()) {
            return "file " + old.get(current.size()).path() + " is gone";
        } else if (current.size() > old.size()) {
            return "file " + current.get(old.size()).path() + " is new";
        }
        return String.format(
                "the dataset has other row groups (%s -> %s)",
                Plural.of(former.rows(), "row"), Plural.of(now.rows(), "row"));
    }

    private static byte[] utf8(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }
}
