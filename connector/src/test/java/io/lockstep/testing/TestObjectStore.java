package io.lockstep.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * As much of S3 as Flink's plugin takes for small objects, on the loopback interface: the files of
 * a directory are the objects of every bucket. It keeps what ranges were asked for, and what was
 * written.
 */
public final class TestObjectStore implements AutoCloseable {

    /** The only bucket that does not exist. */
    public static final String MISSING = "missing";

    /** A range of an object that was asked for; {@code end} is the byte after the last. */
    public record Request(String key, long begin, long end) {}

    private final Path directory;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ObjectWrites writes;

    public TestObjectStore(Path directory) throws IOException {
        this.directory = directory;
        this.writes = new ObjectWrites(directory);
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** What clients take as the service's address. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All reads of objects so far. */
    public List<Request> requests() {
        return requests;
    }

    /** The keys of all objects that were sent so far, without those that were copied. */
    public List<String> uploaded() {
        return writes.uploaded();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/", 3);
            String key = path.length < 3 ? "" : path[2];
            if (path[1].equals(MISSING)) {
                String error =
                        "<Error><Code>NoSuchBucket</Code><Message>The specified bucket does not"
                                + " exist</Message></Error>";
                answer(exchange, 404, error.getBytes(StandardCharsets.UTF_8), -1);
                return;
            }
            if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                byte[] reply = writes.handle(exchange, key).getBytes(StandardCharsets.UTF_8);
                answer(exchange, 200, reply, -1);
            } else if (key.isEmpty()) {
                list(exchange, query(exchange.getRequestURI().getRawQuery()));
            } else if (Files.isRegularFile(directory.resolve(key))) {
                object(exchange, key);
            } else {
                String error = "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>";
                answer(exchange, 404, error.getBytes(StandardCharsets.UTF_8), -1);
            }
        }
    }

    private void object(HttpExchange exchange, String key) throws IOException {
        Path file = directory.resolve(key);
        byte[] content = Files.readAllBytes(file);
        exchange.getResponseHeaders().set("ETag", "\"" + Arrays.hashCode(content) + "\"");
        exchange.getResponseHeaders().set("Last-Modified", time(file, true));
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (exchange.getRequestMethod().equals("HEAD")) {
            answer(exchange, 200, content, content.length);
            return;
        }
        int begin = 0;
        int end = content.length;
        if (range != null) {
            String[] bounds = range.substring("bytes=".length()).split("-", 2);
            begin = Integer.parseInt(bounds[0]);
            end = bounds[1].isEmpty() ? end : Math.min(end, Integer.parseInt(bounds[1]) + 1);
            String sent = "bytes " + begin + "-" + (end - 1) + "/" + content.length;
            exchange.getResponseHeaders().set("Content-Range", sent);
        }
        requests.add(new Request(key, begin, end));
        answer(exchange, range == null ? 200 : 206, Arrays.copyOfRange(content, begin, end), -1);
    }

    private void list(HttpExchange exchange, Map<String, String> query) throws IOException {
        String prefix = query.getOrDefault("prefix", "");
        boolean byDirectory = "/".equals(query.get("delimiter"));
        TreeSet<String> directories = new TreeSet<>();
        StringBuilder xml = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            String key = directory.relativize(file).toString();
            if (!key.startsWith(prefix)) {
                continue;
            }
            int slash = byDirectory ? key.indexOf('/', prefix.length()) : -1;
            if (slash >= 0) {
                directories.add(key.substring(0, slash + 1));
                continue;
            }
            xml.append("<Contents><Key>").append(key).append("</Key><LastModified>");
            xml.append(time(file, false)).append("</LastModified><ETag>\"0\"</ETag><Size>");
            xml.append(Files.size(file)).append("</Size></Contents>");
        }
        for (String each : directories) {
            xml.append("<CommonPrefixes><Prefix>").append(each);
            xml.append("</Prefix></CommonPrefixes>");
        }
        xml.append("</ListBucketResult>");
        answer(exchange, 200, xml.toString().getBytes(StandardCharsets.UTF_8), -1);
    }

    /**
     * @param headLength the length to tell in answer to HEAD
     */
    private static void answer(HttpExchange exchange, int status, byte[] body, long headLength)
            throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            if (headLength >= 0) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(headLength));
            }
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static String time(Path file, boolean header) throws IOException {
        DateTimeFormatter format =
                header ? DateTimeFormatter.RFC_1123_DATE_TIME : DateTimeFormatter.ISO_INSTANT;
        return format.format(
                Files.getLastModifiedTime(file).toInstant().atOffset(ZoneOffset.UTC).withNano(0));
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            String value = parts.length < 2 ? "" : parts[1];
            query.put(parts[0], URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return query;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
