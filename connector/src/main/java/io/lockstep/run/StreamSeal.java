package io.lockstep.run;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * The seal of one stream: a file in {@code streams/}.
 *
 * @param manifest the manifest's digest, which is its name in {@code manifests/}
 * @param fingerprint of the order over that manifest
 * @param columns the served columns, in order; null if written by a release that did not record
 *     them
 * @param transforms the descriptions of its transforms by name, in order; null if written by a
 *     release without transforms
 * @param rows which rows are kept, as the digest of the content names it; empty for all, null if
 *     written by a release without filters
 */
public record StreamSeal(
        String manifest,
        String fingerprint,
        @Nullable List<String> columns,
        @Nullable Map<String, String> transforms,
        @Nullable List<String> rows) {

    public StreamSeal {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(fingerprint, "fingerprint");
    }
}
