package io.lockstep.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.UsageException;
import io.lockstep.sink.SinkSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A running Flink cluster: one reader per TaskManager, as far as slots and lanes allow. */
final class RemoteFlink implements FlinkTarget {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_PORT = 65535;

    private final String host;
    private final int port;

    private RemoteFlink(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /**
     * Connects to a cluster.
     *
     * @param address of the cluster's REST endpoint, {@code HOST:PORT}
     * @throws UsageException if it is not such an address
     * @throws UserException if no Flink answers there
     */
    static RemoteFlink at(String address) throws IOException, InterruptedException {
        RemoteFlink flink = parse(address);
        flink.overview();
        return flink;
    }

    private static RemoteFlink parse(String address) {
        try {
            URI uri = new URI("http://" + address);
            String host = uri.getHost();
            int port = uri.getPort();
            if (port > 0 && port <= MAX_PORT && address.equals(host + ":" + port)) {
                return new RemoteFlink(host, port);
            }
        } catch (URISyntaxException e) {
            // Reported below, like an address that is not exactly a host and a port.
        }
        throw new UsageException(
                "--cluster is '"
                        + address
                        + "': it must be the HOST:PORT of a Flink's REST endpoint");
    }

    /** Does nothing: the cluster was started elsewhere. */
    @Override
    public void close() {}

    @Override
    public RunningJob submit(PreparedRun run) throws Exception {
        int parallelism = parallelism(run);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment(
                        host, port, FileSystems.load(), ownJar());
        run.job(parallelism, sinks()).build(environment);
        return new RunningJob(
                CompletableFuture.completedFuture(
                        environment.executeAsync(
                                run.file().jobName(environment.getConfiguration()))),
                () -> {});
    }

    private int parallelism(PreparedRun run) throws IOException, InterruptedException {
        JsonNode overview = overview();
        int managers = overview.path("taskmanagers").asInt();
        int free = overview.path("slots-available").asInt();
        if (free == 0) {
            throw new UserException(
                    "the Flink cluster at "
                            + host
                            + ":"
                            + port
                            + " has "
                            + Plural.of(managers, "task manager")
                            + " and no free slot: start a task manager, or cancel a job");
        }
        int lanes =
                run.file().streams().stream()
                        .mapToInt(stream -> stream.order().lanes())
                        .max()
                        .orElseThrow();
        return Math.min(lanes, Math.min(managers, free));
    }

    private JsonNode overview() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/overview"))
                        .timeout(TIMEOUT)
                        .build();
        try {
            HttpResponse<String> response =
                    HttpClient.newBuilder()
                            .connectTimeout(TIMEOUT)
                            .build()
                            .send(request, HttpResponse.BodyHandlers.ofString());
            return new ObjectMapper().readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new UserException(
                    "what answers at " + host + ":" + port + " is no Flink: name its REST endpoint",
                    e);
        } catch (IOException e) {
            throw new UserException(
                    "no Flink answers at "
                            + host
                            + ":"
                            + port
                            + " ("
                            + reason(e)
                            + "): is the cluster started, and is this its REST endpoint?",
                    e);
        }
    }

    /** The client's exceptions report neither an unknown host nor a closed port. */
    private String reason(IOException failure) {
        if (new InetSocketAddress(host, port).isUnresolved()) {
            return "there is no such host";
        }
        return failure.getMessage() == null ? "connection refused" : failure.getMessage();
    }

    /** The jar of this command also contains the job. */
    private static String ownJar() throws Exception {
        Path jar =
                Path.of(
                        RemoteFlink.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        if (!jar.toString().endsWith(".jar")) {
            throw new UserException(
                    "the command was not started from its jar, so there is none to submit: start it by"
                            + " './lockstep'");
        }
        return jar.toString();
    }

    @Override
    public SinkSettings sinks() {
        return SinkSettings.cluster();
    }
}
