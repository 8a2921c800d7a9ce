package io.lockstep.source;

import io.lockstep.batch.Wire;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;

/**
 * The digest of what shapes the values of a stream beside its dataset: which columns, in which
 * order. It is the SHA-256 over {@code transforms/1}, a line feed, and for each column a line
 * {@code column NAME}, in UTF-8.
 */
@Internal
public final class TransformsDigest {

    private TransformsDigest() {}

    /**
     * @param wire a schema of {@link Wire#schema}
     */
    public static String of(Schema wire) {
        StringBuilder text = new StringBuilder("transforms/1\n");
        columns(wire).forEach(column -> text.append("column ").append(column).append('\n'));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static List<String> columns(Schema wire) {
        return wire.getFields().stream()
                .map(field -> field.getName())
                .filter(name -> !name.equals(Wire.SAMPLE) && !name.equals(Wire.WEIGHT))
                .toList();
    }
}
