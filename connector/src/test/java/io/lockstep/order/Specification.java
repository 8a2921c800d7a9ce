package io.lockstep.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The executable specification of the order: its vectors and its oracle, as test resources. */
public final class Specification {

    static final String GOLDEN = "golden.json";
    static final String ORACLE = "order_oracle.py";

    private Specification() {}

    public static JsonNode golden() {
        return json(GOLDEN);
    }

    static JsonNode json(String file) {
        try {
            return new ObjectMapper().readTree(resource(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] resource(String file) {
        try (InputStream in = Specification.class.getResourceAsStream(file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the folder of the specification: the system property {@code
     * lockstep.order.specification}, or {@code shared/order} next to the repository if it exists.
     */
    static Optional<Path> beside() {
        String named = System.getProperty("lockstep.order.specification");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        Path at = Path.of("").toAbsolutePath();
        for (; at != null; at = at.getParent()) {
            Path folder = at.resolve("shared").resolve("order");
            if (Files.exists(folder.resolve(GOLDEN))) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }
}
