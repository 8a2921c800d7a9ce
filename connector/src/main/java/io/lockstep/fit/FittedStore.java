package io.lockstep.fit;

import io.lockstep.AtomicFile;
import io.lockstep.UnreadableFileException;
import io.lockstep.materialize.Content;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.statistic.StatisticValues;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.annotation.Nullable;
import org.apache.flink.core.fs.Path;

/**
 * Stores the statistics of transforms beside the sealed manifests of a run: a file {@code
 * <digest>-<chain>.fitted} for each manifest and chain of transforms, complete or absent. The name
 * of a stream whose statistics are those of another one has {@code .<other>} before its extension.
 */
public final class FittedStore {

    private static final String FORMAT = "lockstep fitted/1";

    private static final int CHAIN_DIGITS = 16;

    private static final int SHA256_BYTES = 32;

    private final Path directory;

    /**
     * @param directory of the manifests
     */
    public FittedStore(Path directory) {
        this.directory = directory;
    }

    /**
     * Stores the statistics of transforms; equal ones may be there already.
     *
     * @param unfitted the rows up to the last transform that needs statistics
     * @param like the stream that was fitted; null if it is the one of these rows
     */
    void seal(Content unfitted, @Nullable String like, FittedValues values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeUTF(FORMAT);
            out.writeUTF(unfitted.digest());
            StatisticValues.write(values, out);
        }
        bytes.write(sha256(bytes.toByteArray()));
        AtomicFile.write(path(unfitted, like), bytes.toByteArray());
    }

    /**
     * Returns sealed statistics; empty if there are none.
     *
     * @throws UnreadableFileException if the file is damaged
     */
    Optional<FittedValues> load(Content unfitted, @Nullable String like) throws IOException {
        Path file = path(unfitted, like);
        byte[] bytes;
        try {
            bytes = AtomicFile.read(file);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        int length = bytes.length - SHA256_BYTES;
        if (length < 0
                || !Arrays.equals(
                        sha256(Arrays.copyOf(bytes, length)),
                        Arrays.copyOfRange(bytes, length, bytes.length))) {
            throw unreadable(file, "it was changed or truncated");
        }
        try (DataInputStream in =
                new DataInputStream(
                        new GZIPInputStream(new ByteArrayInputStream(bytes, 0, length)))) {
            if (!in.readUTF().equals(FORMAT) || !in.readUTF().equals(unfitted.digest())) {
                throw unreadable(file, "it belongs to other data or another release");
            }
            return Optional.of(StatisticValues.read(in));
        }
    }

    /**
     * Returns sealed statistics.
     *
     * @throws UnreadableFileException if the file does not exist or is damaged
     */
    FittedValues require(Content unfitted, @Nullable String like) throws IOException {
        Optional<FittedValues> values = load(unfitted, like);
        if (values.isEmpty()) {
            throw unreadable(path(unfitted, like), "there is no such file");
        }
        return values.get();
    }

    private static UnreadableFileException unreadable(Path file, String reason) {
        return new UnreadableFileException(
                "the statistics of transforms " + file,
                reason,
                "restore it from a copy, or start a new run",
                null);
    }

    private Path path(Content unfitted, @Nullable String like) {
        return new Path(
                directory,
                unfitted.dataset().manifest().digest()
                        + "-"
                        + unfitted.digest().substring(0, CHAIN_DIGITS)
                        + (like == null ? "" : "." + like)
                        + ".fitted");
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
