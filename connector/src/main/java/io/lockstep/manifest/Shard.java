package io.lockstep.manifest;

/**
 * One file of a dataset, in the version that was planned with.
 *
 * @param path its place below the dataset's root, separated by '/'
 * @param location where Flink's file systems find it
 * @param length in bytes
 * @param modificationTime in milliseconds since 1970, as the file system tells it
 * @param footerSha256 SHA-256 of the serialised FileMetaData, in lower-case hexadecimal
 * @param tail CRC32C of the file's last 64 KiB in hexadecimal; null in manifests of an earlier
 *     release
 * @param identity of a local file, as it was planned with; else null
 */
public record Shard(
        String path,
        String location,
        long length,
        long modificationTime,
        String footerSha256,
        String tail,
        FileIdentity identity) {}
