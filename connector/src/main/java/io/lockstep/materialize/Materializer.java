package io.lockstep.materialize;

import io.lockstep.Futures;
import io.lockstep.batch.Gather;
import io.lockstep.batch.RowSource;
import io.lockstep.cache.CacheException;
import io.lockstep.cache.MappingFaults;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.PinnedRowGroup.Check;
import io.lockstep.cache.Prefetches;
import io.lockstep.dataset.EpochTable;
import io.lockstep.order.Order;
import io.lockstep.order.Slice;
import io.lockstep.order.Window;
import io.lockstep.order.WindowNeeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One stream's content in its sample order, which the {@link LaneWindows} of its lanes read.
 * Thread-safe.
 */
public final class Materializer {

    private final Content content;
    private final Order order;
    private final EpochTable table;
    private final RowGroupSource rowGroups;
    private final Executor executor;
    private final Gather gather;
    private final StepGather steps;
    private final long[] decodedBytes;
    private final long stepBytes;
    private final long maxDecodingBytes;
    private final DamageListener damage;

    /** For row groups without files, which cannot be damaged. */
    public Materializer(
            Content content,
            Order order,
            EpochTable table,
            RowGroupSource rowGroups,
            Executor executor) {
        this(content, order, table, rowGroups, executor, DamageListener.NONE);
    }

    /**
     * @param order over the content's dataset
     * @param rowGroups of that content
     * @param executor permutes the rows of windows
     * @param damage notified of steps that were gathered from damaged files
     */
    public Materializer(
            Content content,
            Order order,
            EpochTable table,
            RowGroupSource rowGroups,
            Executor executor,
            DamageListener damage) {
        this.content = content;
        this.order = order;
        this.table = table;
        this.rowGroups = rowGroups;
        this.executor = executor;
        this.gather = content.gather();
        this.steps = content.steps();
        this.decodedBytes =
                IntStream.range(0, order.rowGroups()).mapToLong(content::decodedBytes).toArray();
        this.maxDecodingBytes =
                IntStream.range(0, order.rowGroups())
                        .mapToLong(content::decodingBytes)
                        .max()
                        .orElse(0);
        double rowBytes = (double) LongStream.of(decodedBytes).sum() / order.totalRows();
        int rows = order.settings().perLane();
        this.stepBytes = content.stepBytes((long) (rowBytes * rows), rows);
        this.damage = damage;
    }

    public Content content() {
        return content;
    }

    public Order order() {
        return order;
    }

    public EpochTable table() {
        return table;
    }

    /** Creates the windows of a lane, all closed. */
    public LaneWindows lane(int lane) {
        return new LaneWindows(this, lane);
    }

    /** Creates a selection for the rows of some lanes of one step of an epoch. */
    public StepSelection selection(long epoch, int lanes) {
        return new StepSelection(steps, content.samples(order.settings(), epoch, lanes));
    }

    /** The bytes of a step of one lane, estimated from the dataset's average. */
    public long stepBytes() {
        return stepBytes;
    }

    /** The bytes that a step has for alignment, at most. */
    public long paddingBytes() {
        return steps.paddingBytes();
    }

    /** The peak memory of decoding one of its row groups. */
    public long maxDecodingBytes() {
        return maxDecodingBytes;
    }

    /** The bytes that the windows in use of some lanes pin at once. */
    public long windowBytes(Collection<Integer> lanes) {
        return WindowNeeds.bytes(order, lanes, rowGroup -> decodedBytes[rowGroup]);
    }

    /** Whether this window fits beside all row groups that are pinned now. */
    boolean hasRoomFor(Window window) {
        return rowGroups.hasRoomFor(
                window.slices().stream().mapToLong(slice -> decodedBytes[slice.rowGroup()]).sum());
    }

    /** Whether this row group fits beside all row groups that are kept now. */
    public boolean hasSpareRoomFor(int rowGroup) {
        return rowGroups.hasSpareRoomFor(decodedBytes[rowGroup]);
    }

    /** Makes a row group ready for later without keeping it pinned. */
    public CompletableFuture<Void> load(int rowGroup) {
        return rowGroups.pin(rowGroup).thenAccept(PinnedRowGroup::close);
    }

    /** Pins that may be given up for others. */
    Optional<Prefetches> prefetches() {
        return rowGroups.prefetches();
    }

    /**
     * Opens a window that is needed now. If it finds no room, prefetched windows of all lanes are
     * given up.
     */
    CompletableFuture<OpenWindow> openNeeded(int lane, long epoch, Window window) {
        return open(lane, epoch, window)
                .exceptionallyCompose(
                        failure ->
                                madeRoom(failure)
                                        .thenCompose(
                                                made ->
                                                        made
                                                                ? openNeeded(lane, epoch, window)
                                                                : CompletableFuture.failedFuture(
                                                                        failure)));
    }

    private CompletableFuture<Boolean> madeRoom(Throwable failure) {
        boolean refused = Futures.cause(failure).getCause() instanceof CacheException;
        return refused && prefetches().isPresent()
                ? prefetches().get().giveUp()
                : CompletableFuture.completedFuture(false);
    }

    /**
     * Makes a window's row groups ready and permutes its rows. If one row group fails, the others
     * are released.
     */
    CompletableFuture<OpenWindow> open(int lane, long epoch, Window window) {
        List<CompletableFuture<PinnedRowGroup>> pins = new ArrayList<>();
        for (Slice slice : window.slices()) {
            pins.add(rowGroups.pin(slice.rowGroup()));
        }
        return CompletableFuture.allOf(pins.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        all ->
                                opened(
                                        window,
                                        new GatheredSteps(lane, epoch, damage),
                                        pins.stream().map(CompletableFuture::join).toList()),
                        executor)
                .whenComplete((opened, failure) -> closeOnFailure(pins, failure));
    }

    private OpenWindow opened(Window window, GatheredSteps gathered, List<PinnedRowGroup> pinned) {
        pinned.forEach(pin -> pin.onDamage(gathered::damaged));
        return new OpenWindow(window, window.permute(), gathered, pinned, sources(pinned));
    }

    /** Counts the nulls of mapped vectors, which fails if a file was truncated since its check. */
    private List<RowSource> sources(List<PinnedRowGroup> pinned) {
        try {
            List<RowSource> sources =
                    pinned.stream().map(pin -> gather.source(pin.root())).toList();
            MappingFaults.raisePending();
            return sources;
        } catch (InternalError e) {
            pinned.forEach(pin -> pin.check(Check.CONTENT));
            throw e;
        }
    }

    private static void closeOnFailure(
            List<CompletableFuture<PinnedRowGroup>> pins, Throwable failure) {
        if (failure != null) {
            pins.forEach(Futures::close);
        }
    }
}
