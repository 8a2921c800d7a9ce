package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that encrypts, with certificates of the JDK's keytool. */
@Timeout(120)
class TlsTest {

    private static final String PASSWORD = "changeit";

    @TempDir Path directory;
    private TlsFiles files;

    @BeforeEach
    void makeCertificates() throws Exception {
        Path store = directory.resolve("store.p12");
        keytool(
                store,
                "-genkeypair -alias host -keyalg EC -dname CN=localhost"
                        + " -ext san=dns:localhost,ip:127.0.0.1 -ext bc:c -validity 2");
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Key key = keys.getKey("host", PASSWORD.toCharArray());
        Certificate certificate = keys.getCertificate("host");
        files =
                new TlsFiles(
                        pem("host.pem", "CERTIFICATE", certificate.getEncoded()),
                        pem("host.key", "PRIVATE KEY", key.getEncoded()),
                        pem("ca.pem", "CERTIFICATE", certificate.getEncoded()));
    }

    private static void keytool(Path store, String arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(Arrays.asList(arguments.split(" ")));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    private String pem(String name, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        String text = "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private HandoffSettings settings(TlsFiles tls) {
        return new HandoffSettings(
                "/runs/a",
                "task-1",
                HandoffFixture.TOKEN,
                tls,
                "127.0.0.1",
                "localhost",
                PortRange.any(),
                directory,
                4);
    }

    @Test
    void clientsVerifyTheServerByItsCertificates() throws Exception {
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                TestJob job = new TestJob(Samples.numbers(), 5, allocator);
                HandoffServer server = HandoffServer.start(settings(files), job, allocator)) {
            assertThat(server.uri()).startsWith("grpc+tls://localhost:");
            Credentials trusting = new Credentials(HandoffFixture.TOKEN, files.ca());
            try (HandoffClient client = HandoffClient.connect(server.uri(), trusting, allocator)) {
                assertThat(client.stats().emitted()).isZero();
            }
            assertThatThrownBy(
                            () ->
                                    HandoffClient.connect(
                                            server.uri(),
                                            new Credentials(HandoffFixture.TOKEN),
                                            allocator))
                    .isInstanceOf(FlightRuntimeException.class);
            String plain = server.uri().replace("grpc+tls", "grpc+tcp");
            assertThatThrownBy(() -> HandoffClient.connect(plain, trusting, allocator))
                    .isInstanceOf(FlightRuntimeException.class);
            assertThat(
                            TestPython.run(
                                    """
                                    import sys
                                    sys.path.insert(0, sys.argv[3])
                                    from lockstep.connection import Connection
                                    from lockstep.credentials import Credentials
                                    from lockstep.protocol import ServerLostError
                                    uri, ca, _, token = sys.argv[1:]
                                    Connection(uri, None, Credentials(token), ca).call("stats", {})
                                    try:
                                        Connection(uri, None, Credentials(token))
                                    except ServerLostError:
                                        print("verified")
                                    """,
                                    server.uri(),
                                    files.ca(),
                                    TestPython.root().resolve("sink-trainer/python").toString(),
                                    HandoffFixture.TOKEN.authorization().split(" ")[1]))
                    .contains("verified");
        }
    }

    @Test
    void filesThatAreNotThereAreNamed() throws Exception {
        TlsFiles missing = new TlsFiles("/no/host.pem", files.key(), null);
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                TestJob job = new TestJob(Samples.numbers(), 5, allocator)) {
            assertThatThrownBy(() -> HandoffServer.start(settings(missing), job, allocator))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("/no/host.pem");
        }
    }
}
