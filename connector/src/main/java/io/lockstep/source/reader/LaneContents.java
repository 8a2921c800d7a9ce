package io.lockstep.source.reader;

import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.materialize.Materializer;
import io.lockstep.source.split.LaneSplit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams that a reader has lanes of, and whether these lanes fit in memory and cache. Not
 * thread-safe; guarded by its owner.
 */
final class LaneContents {

    private static final Logger LOG = LoggerFactory.getLogger(LaneContents.class);

    /** Logged once for all readers of the process. */
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    /** The slots in shared memory of each rank and stream, each for one batch. */
    private static final int BATCHES_HANDED_OFF = 4;

    private final Function<String, Materializer> load;
    private final long cacheBytes;
    private final long stepBytes;
    private final ReaderMemory memory;
    private final int threads;
    private final Map<String, Materializer> streams = new HashMap<>();

    /**
     * @param load loads a stream by name; may read a remote file system
     * @param cacheBytes the limit for decoded row groups
     * @param stepBytes the limit for prefetched steps
     * @param threads the number of row groups that may be decoded concurrently
     */
    LaneContents(
            Function<String, Materializer> load,
            long cacheBytes,
            long stepBytes,
            ReaderMemory memory,
            int threads) {
        this.load = load;
        this.cacheBytes = cacheBytes;
        this.stepBytes = stepBytes;
        this.memory = memory;
        this.threads = threads;
    }

    /** The content of a lane's stream; loaded on first use. */
    Materializer of(LaneSplit lane) {
        return streams.computeIfAbsent(lane.stream(), load);
    }

    /** Removes the streams without lanes. */
    void retainStreamsOf(Collection<LaneSplit> lanes) {
        Set<String> left = lanes.stream().map(LaneSplit::stream).collect(Collectors.toSet());
        streams.keySet().retainAll(left);
    }

    /**
     * Rejects lanes that do not fit together; the message contains the sizes.
     *
     * @return the memory limit for concurrent decoding
     * @throws UserException if the lanes do not fit
     */
    long check(Collection<LaneSplit> lanes) {
        Map<String, List<LaneSplit>> byStream =
                lanes.stream().collect(Collectors.groupingBy(LaneSplit::stream));
        long windows = 0;
        long steps = 0;
        long largest = 0;
        for (List<LaneSplit> ofStream : byStream.values()) {
            Materializer stream = of(ofStream.get(0));
            windows += stream.windowBytes(ofStream.stream().map(LaneSplit::lane).toList());
            steps += (stream.stepBytes() + stream.paddingBytes()) * ofStream.size();
            largest = Math.max(largest, stream.maxDecodingBytes());
        }
        if (windows > cacheBytes) {
            throw new UserException(
                    String.format(
                            "the windows of the %s of one task need %,d bytes of decoded row groups"
                                    + " at hand, and the cache holds %,d: raise cache.size, choose a"
                                    + " smaller window, or run more tasks",
                            Plural.of(lanes.size(), "lane"), windows, cacheBytes));
        }
        if (steps > stepBytes) {
            throw new UserException(
                    String.format(
                            "one step of each of the %s of one task takes %,d bytes, and a reader"
                                    + " may use %,d: raise reader.step-memory, choose a smaller batch or"
                                    + " fewer columns, or run more tasks",
                            Plural.of(lanes.size(), "lane"), steps, stepBytes));
        }
        if (memory.isUnaccounted() && WARNED.compareAndSet(false, true)) {
            LOG.warn(memory.advice(stepBytes, largest, threads));
        }
        return memory.forDecoding(stepBytes, largest, threads, BATCHES_HANDED_OFF * steps);
    }
}
