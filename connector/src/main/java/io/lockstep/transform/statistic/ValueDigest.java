package io.lockstep.transform.statistic;

import io.lockstep.transform.StatisticValue;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a value that is too long for a description. */
final class ValueDigest {

    private ValueDigest() {}

    static String of(StatisticValue value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            value.write(
                    new DataOutputStream(
                            new DigestOutputStream(OutputStream.nullOutputStream(), digest)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
