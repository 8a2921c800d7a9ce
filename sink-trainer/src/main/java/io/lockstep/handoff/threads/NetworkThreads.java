package io.lockstep.handoff.threads;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read and write a server's connections. They sleep while idle; Netty's own wake
 * up every second unless a later task is scheduled.
 */
public final class NetworkThreads implements AutoCloseable {

    private static final long LATER_DAYS = 1;
    private static final long STOP_SECONDS = 10;

    private final EventLoopGroup group;

    @SuppressWarnings("FutureReturnValueIgnored") // an empty task cannot fail
    public NetworkThreads() {
        group =
                new MultiThreadIoEventLoopGroup(
                        HandoffThreads.count(),
                        HandoffThreads.named("lockstep-network-"),
                        NioIoHandler.newFactory());
        for (EventExecutor thread : group) {
            thread.scheduleAtFixedRate(() -> {}, LATER_DAYS, LATER_DAYS, TimeUnit.DAYS);
        }
    }

    public EventLoopGroup group() {
        return group;
    }

    /** Stops the threads; stop the server that uses them first. */
    @Override
    public void close() throws InterruptedException {
        group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
                .await(STOP_SECONDS, TimeUnit.SECONDS);
    }
}
