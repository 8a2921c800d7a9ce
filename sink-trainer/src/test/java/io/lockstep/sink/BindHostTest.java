package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job's servers listen where their task manager does, unless the job names an address. */
@Timeout(120)
class BindHostTest {

    private static final String BOUND = "127.0.0.2";

    @RegisterExtension
    static final TrainingCluster CLUSTER = new TrainingCluster(1, 1, configuration());

    private static Configuration configuration() {
        return new Configuration().set(TaskManagerOptions.BIND_HOST, BOUND);
    }

    @Test
    void theBindHostOfTheTaskManagerIsHonoured(TestJob job) throws Exception {
        int port = port(job.onTheAddressesOfTaskManagers());
        connect(BOUND, port);
        assertThatThrownBy(() -> connect("127.0.0.1", port)).isInstanceOf(ConnectException.class);
    }

    @Test
    void anAddressOfTheJobComesFirst(TestJob job) throws Exception {
        int port = port(job);
        connect("127.0.0.1", port);
        assertThatThrownBy(() -> connect(BOUND, port)).isInstanceOf(ConnectException.class);
    }

    @Test
    void theAddressOfTheRunFileIsListenedOnAndAnnounced(TestJob job) throws Exception {
        int port = port(job.at("127.0.0.3"));
        connect("127.0.0.3", port);
        assertThatThrownBy(() -> connect(BOUND, port)).isInstanceOf(ConnectException.class);
        assertThat(job.run().readSinks().get(0).uri()).contains("//127.0.0.3:");
        assertThat(SinkSettings.local().at(null).bindOr(Optional.empty())).isEqualTo("127.0.0.1");
        assertThat(SinkSettings.local().at("::").advertised("node-1")).isEqualTo("node-1");
    }

    @Test
    void withoutBothAllAddressesAreListenedOn() {
        SinkSettings settings = SinkSettings.cluster();
        assertThat(settings.bindOr(Optional.empty())).isEqualTo("0.0.0.0");
        assertThat(settings.advertised("node-1")).isEqualTo("node-1");
    }

    private static int port(TestJob job) throws Exception {
        job.start(1);
        List<SinkEntry> sinks = job.run().readSinks();
        while (sinks.isEmpty()) {
            Thread.onSpinWait();
            sinks = job.run().readSinks();
        }
        return URI.create(sinks.get(0).uri()).getPort();
    }

    private static void connect(String address, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName(address), port)) {
            assertThat(socket.isConnected()).isTrue();
        }
    }
}
