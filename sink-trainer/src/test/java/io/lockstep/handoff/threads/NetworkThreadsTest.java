package io.lockstep.handoff.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import org.junit.jupiter.api.Test;

/** The threads of a server's connections. */
class NetworkThreadsTest {

    @Test
    void theyWorkUntilTheyAreClosed() throws Exception {
        NetworkThreads threads = new NetworkThreads();
        EventLoopGroup group = threads.group();
        assertThat(group).hasSize(HandoffThreads.count());
        group.submit(() -> {}).get();

        threads.close();

        assertThat(group.isTerminated()).isTrue();
    }
}
