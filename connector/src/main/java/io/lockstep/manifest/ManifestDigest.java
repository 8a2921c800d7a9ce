package io.lockstep.manifest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Computes the digest of a manifest, as defined by version 1 of the order. */
final class ManifestDigest {

    private ManifestDigest() {}

    /** Returns SHA-256 over one line per row group, in lower-case hexadecimal. */
    static String of(List<Shard> shards, List<RowGroup> rowGroups) {
        MessageDigest digest = sha256();
        for (RowGroup group : rowGroups) {
            Shard shard = shards.get(group.shard());
            String line =
                    "rowgroup "
                            + group.ordinal()
                            + ' '
                            + group.rows()
                            + ' '
                            + shard.length()
                            + ' '
                            + shard.footerSha256()
                            + ' '
                            + shard.path()
                            + '\n';
            digest.update(line.getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
