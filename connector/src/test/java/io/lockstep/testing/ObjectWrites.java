package io.lockstep.testing;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What changes the objects of a {@link TestObjectStore}: PUT, copying, and both ways to delete. */
final class ObjectWrites {

    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");

    private final Path directory;
    private final List<String> uploaded = new CopyOnWriteArrayList<>();

    ObjectWrites(Path directory) {
        this.directory = directory;
    }

    /** The keys of all objects that were sent so far, without copies. */
    List<String> uploaded() {
        return uploaded;
    }

    /** Does what a request asks for and returns the body of its reply. */
    String handle(HttpExchange exchange, String key) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Headers headers = exchange.getRequestHeaders();
        return switch (exchange.getRequestMethod()) {
            case "PUT" -> put(key, headers, body);
            case "DELETE" -> delete(key);
            default -> deleteAll(new String(body, StandardCharsets.UTF_8));
        };
    }

    private String put(String key, Headers headers, byte[] body) throws IOException {
        Path file = directory.resolve(key);
        if (key.endsWith("/")) {
            return ""; // Marks an empty directory; here directories come with their objects.
        }
        Files.createDirectories(file.getParent());
        String source = headers.getFirst("x-amz-copy-source");
        if (source == null) {
            boolean inChunks = headers.containsKey("x-amz-decoded-content-length");
            Files.write(file, inChunks ? withoutChunks(body) : body);
            uploaded.add(key);
            return "";
        }
        String from = URLDecoder.decode(source, StandardCharsets.UTF_8).replaceFirst("^/?.*?/", "");
        Files.copy(directory.resolve(from), file, StandardCopyOption.REPLACE_EXISTING);
        return "<CopyObjectResult><ETag>\"0\"</ETag></CopyObjectResult>";
    }

    /** Each chunk has a line before it that begins with its length, and ends with a line break. */
    private static byte[] withoutChunks(byte[] body) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int line = at;
            while (body[line] != '\n') {
                line++;
            }
            String head = new String(body, at, line - at, StandardCharsets.US_ASCII);
            int length = Integer.parseInt(head.split("[;\r]")[0], 16);
            if (length == 0) {
                return content.toByteArray();
            }
            content.writeBytes(Arrays.copyOfRange(body, line + 1, line + 1 + length));
            at = line + 1 + length + "\r\n".length();
        }
    }

    private String delete(String key) throws IOException {
        if (Files.isRegularFile(directory.resolve(key))) {
            Files.delete(directory.resolve(key));
        }
        return "";
    }

    private String deleteAll(String xml) throws IOException {
        for (Matcher key = KEY.matcher(xml); key.find(); ) {
            delete(key.group(1));
        }
        return "<DeleteResult/>";
    }
}
