package io.lockstep.python;

import io.lockstep.UserException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The source files of a run's Python functions. Immutable.
 *
 * @param files their text by path, relative to the folder that modules are imported from
 */
@PublicEvolving
public record PythonCode(TreeMap<String, String> files) implements Serializable {

    /** A run file and a job graph carry it. */
    private static final long MAX_BYTES = 1 << 20;

    private static final String COMPILED = "__pycache__";

    public PythonCode {
        files = new TreeMap<>(files);
    }

    /** No files. */
    public static PythonCode none() {
        return new PythonCode(new TreeMap<>());
    }

    /**
     * Reads files and folders, each of which gets its own name; compiled and hidden files are left
     * out.
     *
     * @throws UserException if one cannot be read or is no text, or if they are too large
     */
    public static PythonCode read(List<Path> paths) {
        TreeMap<String, String> files = new TreeMap<>();
        long bytes = 0;
        for (Path path : paths) {
            for (Path file : below(path)) {
                String name = path.getParent().relativize(file).toString();
                String text = text(file);
                bytes += text.length();
                if (bytes > MAX_BYTES) {
                    throw new UserException(
                            "the files of the Python functions have more than 1 MiB (up to "
                                    + file
                                    + "): name only source files, and install the rest where the"
                                    + " workers run");
                }
                if (files.put(name, text) != null) {
                    throw new UserException(
                            "two files of the Python functions have the name "
                                    + name
                                    + "; rename one");
                }
            }
        }
        return new PythonCode(files);
    }

    private static List<Path> below(Path path) {
        if (!Files.exists(path)) {
            throw new UserException("there is no file or folder " + path);
        }
        try (Stream<Path> found = Files.walk(path)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> isSource(path.relativize(file)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UserException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : file) {
            String name = part.toString();
            if (name.startsWith(".") || name.equals(COMPILED)) {
                return false;
            }
        }
        return true;
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new UserException(
                        file + " has more than 1 MiB and is no source file of Python functions");
            }
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new UserException(
                    file
                            + " is no UTF-8 text: Python functions travel with text files only; name"
                            + " single files in python.files",
                    e);
        } catch (IOException e) {
            throw new UserException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The SHA-256 over each file's name and text. */
    public String sha256() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Map.Entry<String, String> file : files.entrySet()) {
                for (String part : List.of(file.getKey(), file.getValue())) {
                    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                    digest.update(bytes);
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Writes the files into a folder. */
    public void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey()).normalize();
            if (!path.startsWith(folder)) {
                throw new UserException("a Python file is outside of its folder: " + file.getKey());
            }
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
