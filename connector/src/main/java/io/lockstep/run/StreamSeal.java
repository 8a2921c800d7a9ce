package io.lockstep.run;

import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * What a stream of the run was sealed with: one file of {@code streams/}.
 *
 * @param manifest the manifest's digest, its name in {@code manifests/}
 * @param fingerprint of the order over that manifest
 * @param columns those that are served, in order; null where a release wrote it that kept none
 */
public record StreamSeal(String manifest, String fingerprint, @Nullable List<String> columns) {

    public StreamSeal {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(fingerprint, "fingerprint");
    }
}
