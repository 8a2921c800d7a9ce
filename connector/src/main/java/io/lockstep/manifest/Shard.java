package io.lockstep.manifest;

/**
 * One file of a dataset, in the version that was planned.
 *
 * @param path the path relative to the dataset's root, separated by '/'
 * @param location the location to open with Flink's file systems
 * @param length in bytes
 * @param modificationTime in milliseconds since 1970, as reported by the file system
 * @param footerSha256 SHA-256 of the serialised FileMetaData, in lower-case hexadecimal
 * @param tail CRC32C of the file's last 64 KiB in hexadecimal; null in manifests of earlier
 *     releases
 * @param identity the identity of a local file at planning; null if not local
 */
public record Shard(
        String path,
        String location,
        long length,
        long modificationTime,
        String footerSha256,
        String tail,
        FileIdentity identity) {}
