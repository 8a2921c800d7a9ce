package io.lockstep.filter;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.AtomicFile;
import io.lockstep.UnreadableFileException;
import io.lockstep.manifest.Manifest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.fs.Path;

/**
 * Stores the counts of kept rows beside the sealed manifests of a run: a file {@code
 * <digest>-<selection>.rows.json} for each manifest and selection, complete or absent.
 */
public final class KeptRowsStore {

    private static final int SELECTION_DIGITS = 16;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    /**
     * @param directory of the manifests
     */
    public KeptRowsStore(Path directory) {
        this.directory = directory;
    }

    /** Stores counts; equal ones may be there already. */
    public void seal(Manifest manifest, KeptRows kept) throws IOException {
        AtomicFile.write(
                path(manifest, kept.selection()),
                JSON.writeValueAsBytes(
                        Map.of(
                                "manifest", manifest.digest(),
                                "selection", kept.selection().description(),
                                "rows", kept.counts())));
    }

    /**
     * Returns sealed counts; empty if there are none.
     *
     * @throws UnreadableFileException if the file is damaged
     */
    public Optional<KeptRows> load(Manifest manifest, RowSelection selection) throws IOException {
        Path file = path(manifest, selection);
        byte[] bytes;
        try {
            bytes = AtomicFile.read(file);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        try {
            JsonNode json = JSON.readTree(bytes);
            long[] counts = JSON.treeToValue(json.path("rows"), long[].class);
            List<String> lines =
                    JSON.convertValue(json.path("selection"), new TypeReference<List<String>>() {});
            if (counts == null
                    || counts.length != manifest.rowGroups().size()
                    || !manifest.digest().equals(json.path("manifest").asText())
                    || !selection.description().equals(lines)) {
                throw unreadable(file, "it belongs to other data", null);
            }
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] < 0 || counts[i] > manifest.rowGroups().get(i).rows()) {
                    throw unreadable(file, "a row group cannot keep " + counts[i] + " rows", null);
                }
            }
            return Optional.of(new KeptRows(selection, counts));
        } catch (IOException | IllegalArgumentException e) {
            throw e instanceof UnreadableFileException known
                    ? known
                    : unreadable(file, "it is no JSON of counts", e);
        }
    }

    /**
     * Returns sealed counts.
     *
     * @throws UnreadableFileException if the file does not exist or is damaged
     */
    public KeptRows require(Manifest manifest, RowSelection selection) throws IOException {
        Optional<KeptRows> kept = load(manifest, selection);
        if (kept.isEmpty()) {
            throw unreadable(path(manifest, selection), "there is no such file", null);
        }
        return kept.get();
    }

    private static UnreadableFileException unreadable(Path file, String reason, Throwable cause) {
        return new UnreadableFileException(
                "the counts of kept rows " + file,
                reason,
                "restore it from a copy, or start a new run",
                cause);
    }

    private Path path(Manifest manifest, RowSelection selection) {
        String lines = String.join("\n", selection.description());
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(lines.getBytes(StandardCharsets.UTF_8));
            String name = HexFormat.of().formatHex(digest).substring(0, SELECTION_DIGITS);
            return new Path(directory, manifest.digest() + "-" + name + ".rows.json");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
