package io.lockstep.run;

/**
 * What a stream of the run was sealed with: one file of {@code streams/}.
 *
 * @param manifest the manifest's digest, its name in {@code manifests/}
 * @param fingerprint of the order over that manifest
 */
public record StreamSeal(String manifest, String fingerprint) {}
