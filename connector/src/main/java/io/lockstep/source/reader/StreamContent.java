package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.UserException;
import io.lockstep.batch.Gather;
import io.lockstep.batch.Wire;
import io.lockstep.cache.CacheException;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.RowGroupKey;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import io.lockstep.order.Order;
import io.lockstep.order.Slice;
import io.lockstep.order.Window;
import io.lockstep.order.WindowNeeds;
import io.lockstep.parquet.RowGroupReader;
import io.lockstep.source.feedback.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One stream as a reader sees it: its order, and its row groups made ready in the store.
 * Thread-safe.
 */
final class StreamContent {

    /** Changes whenever the same row group would be stored in another form. */
    private static final int FORMAT = 2;

    private final StreamInfo info;
    private final Manifest manifest;
    private final Order order;
    private final List<String> columns;
    private final RowGroupReader rowGroups;
    private final Gather gather;
    private final RowGroupStore store;
    private final Executor decoders;

    StreamContent(
            StreamInfo info,
            Manifest manifest,
            List<String> columns,
            RowGroupStore store,
            Executor decoders) {
        this.info = info;
        this.manifest = manifest;
        this.order = new Order(info.order(), manifest.rowGroupRows());
        this.rowGroups = new RowGroupReader(manifest, columns);
        this.columns =
                rowGroups.schema().getFields().stream().map(field -> field.getName()).toList();
        this.gather = new Gather(Wire.schema(rowGroups.schema()));
        this.store = store;
        this.decoders = decoders;
    }

    StreamInfo info() {
        return info;
    }

    Order order() {
        return order;
    }

    Gather gather() {
        return gather;
    }

    /** Decoded bytes of a step of one lane, from the averages of the whole dataset. */
    long stepBytes() {
        long decoded = 0;
        for (int group = 0; group < manifest.rowGroups().size(); group++) {
            decoded += manifest.decodedBytes(group, columns);
        }
        return decoded * info.order().perLane() / Math.max(1, manifest.rows());
    }

    /** What the windows in use of some lanes need in the store at once. */
    long windowBytes(List<Integer> lanes) {
        return WindowNeeds.bytes(order, lanes, group -> manifest.decodedBytes(group, columns));
    }

    /** Whether the store can hold this window beside all that is in use now. */
    boolean hasRoomFor(Window window) {
        long bytes = 0;
        for (Slice slice : window.slices()) {
            bytes += manifest.decodedBytes(slice.rowGroup(), columns);
        }
        return store.pinnedBytes() + bytes <= store.maxBytes();
    }

    /** Whether the store can take this row group beside all that it holds now. */
    boolean hasSpareRoomFor(int rowGroup) {
        return store.usedBytes() + manifest.decodedBytes(rowGroup, columns) <= store.maxBytes();
    }

    /** Makes a row group ready, decoding it if it is not, for whoever needs it later. */
    CompletableFuture<Void> load(int rowGroup) {
        return pin(rowGroup).thenAccept(PinnedRowGroup::close);
    }

    /** Makes a window's row groups ready, decoding those that are not, and permutes its rows. */
    CompletableFuture<OpenWindow> open(Window window) {
        List<CompletableFuture<PinnedRowGroup>> pins = new ArrayList<>();
        for (Slice slice : window.slices()) {
            pins.add(pin(slice.rowGroup()));
        }
        return CompletableFuture.allOf(pins.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        all -> opened(window, pins.stream().map(CompletableFuture::join).toList()),
                        decoders)
                .whenComplete((opened, failure) -> closeOnFailure(pins, failure));
    }

    private OpenWindow opened(Window window, List<PinnedRowGroup> pinned) {
        return new OpenWindow(
                window,
                window.permute(),
                pinned,
                pinned.stream().map(pin -> gather.source(pin.root())).toList());
    }

    private static void closeOnFailure(
            List<CompletableFuture<PinnedRowGroup>> pins, Throwable failure) {
        if (failure != null) {
            pins.forEach(Futures::close);
        }
    }

    private CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
        return store.pin(
                        key(rowGroup),
                        allocator -> gather.pack(rowGroups.read(rowGroup, allocator), allocator),
                        decoders)
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(withRemedy(failure)));
    }

    /** What the store refuses would be refused again: whoever runs the job has to make room. */
    private static Throwable withRemedy(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof CacheException
                ? new UserException(cause.getMessage(), cause)
                : cause;
    }

    private RowGroupKey key(int number) {
        RowGroup rowGroup = manifest.rowGroups().get(number);
        Shard shard = manifest.shards().get(rowGroup.shard());
        return new RowGroupKey(
                String.join(
                        "\n",
                        "format " + FORMAT,
                        "file " + shard.location(),
                        "length " + shard.length(),
                        "modified " + shard.modificationTime(),
                        "footer " + shard.footerSha256(),
                        "row group " + rowGroup.ordinal(),
                        "columns " + columns));
    }
}
