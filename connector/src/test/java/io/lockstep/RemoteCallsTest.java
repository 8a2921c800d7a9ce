package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user is told about calls to remote file systems. */
@Timeout(60)
class RemoteCallsTest {

    private static final Path DATA = new Path("s3://bucket/train");

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @Test
    void aLongCallSaysAgainAndAgainWhatItWaitsFor() throws IOException {
        Duration soon = Duration.ofMillis(1);
        RemoteCalls calls = new RemoteCalls(said::add, soon, soon);

        calls.run(DATA, this::takeTwo);
    }

    private String takeTwo() throws IOException {
        try {
            assertThat(said.take()).startsWith("waiting for s3://bucket/train since 0 s");
            return said.take();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aFailureNamesThePathAndItsCause() {
        assertThatThrownBy(
                        () -> fail(new IOException("getFileStatus on s3://bucket/train/run.yaml")))
                .hasMessage(
                        "s3://bucket/train cannot be accessed: getFileStatus on"
                                + " s3://bucket/train/run.yaml");
        String amazon =
                "The specified bucket does not exist (Service: Amazon S3; Status Code: 404)";
        assertThatThrownBy(() -> fail(new IOException("x", new RuntimeException(amazon))))
                .hasMessage(
                        "s3://bucket/train cannot be accessed: The specified bucket does not exist");
        assertThatThrownBy(() -> fail(new IOException("x", new UnknownHostException("minio"))))
                .hasMessage("s3://bucket/train cannot be accessed: UnknownHostException: minio");
        assertThatThrownBy(() -> fail(new ConnectException()))
                .hasMessage("s3://bucket/train cannot be accessed: ConnectException");
        assertThatThrownBy(() -> fail(new SocketTimeoutException("Read timed out")))
                .hasMessage("s3://bucket/train cannot be accessed: Read timed out");
        assertThatThrownBy(() -> fail(new InterruptedIOException("cancelled")))
                .isInstanceOf(InterruptedIOException.class)
                .hasMessage("cancelled");
        assertThatThrownBy(() -> fail(new FileNotFoundException("no")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("no");
    }

    private static void fail(IOException failure) throws IOException {
        RemoteCalls.call(
                DATA,
                () -> {
                    throw failure;
                });
    }
}
