package io.lockstep.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Identifies a decoded row group by everything that affects its content: file, version of the file,
 * row group, columns and transforms.
 *
 * @param text the parts, encoded so that different contents have different texts
 */
public record RowGroupKey(String text) {

    public RowGroupKey {
        Objects.requireNonNull(text, "text");
    }

    /** The SHA-256 of the text in UTF-8, as 64 lower-case hexadecimal digits. */
    public String digest() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
