package io.lockstep.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.lockstep.dataset.EpochTable;
import io.lockstep.digest.PackedDigests;
import io.lockstep.run.SinkEntry;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** The replies of the hand-off protocol. */
public sealed interface Reply {

    /** A reply that the job's enumerator gives to {@link Request.ToRun}. */
    sealed interface OfRun extends Reply, Serializable {}

    /**
     * @param server the server's release
     * @param run the run directory
     * @param shm tells whether both sides share memory; absent if the server has none to share
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hello(int protocol, String server, String run, Probe shm) implements Reply {}

    /** A file that holds the nonce: a client that can read it there shares the server's memory. */
    record Probe(String probe, String nonce) {}

    /** All streams of the run by name, and the servers of their lanes. */
    record Routing(Map<String, StreamEntry> streams, List<SinkEntry> endpoints) implements Reply {}

    /**
     * What a trainer needs to know about a stream.
     *
     * @param steps of each epoch; absent if the number varies between epochs
     * @param rows that each epoch reads; absent if {@code steps} is
     * @param seed an unsigned 64-bit number in decimals
     * @param schema the Arrow IPC schema message of its batches in base64
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record StreamEntry(
            int lanes,
            int batch,
            Long steps,
            int epochs,
            Long rows,
            String seed,
            String shuffle,
            String tail,
            int window,
            String schema,
            String fingerprint,
            String manifest,
            String transforms) {}

    /** Successive epochs of a stream. */
    record Epochs(List<EpochTable.Epoch> epochs) implements Reply {}

    /** The rank belongs to this generation. */
    record Registered(long generation) implements OfRun {}

    /**
     * The result of a commit.
     *
     * @param complete whether all ranks have committed
     * @param why it is not durable; null if it is
     * @param warning names ranks that do not commit; null if none is known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Committed(
            boolean durable, boolean complete, @Nullable String why, @Nullable String warning)
            implements OfRun {}

    /**
     * The newest committed state; empty if none exists.
     *
     * @param world the number of ranks that committed it
     * @param state the state that the ranks share: a JSON object; absent if none exists
     * @param generators the states of the generators of the rank with the caller's number; absent
     *     if not kept
     * @param warning names ranks whose commits are missing from a newer state; absent if there is
     *     none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Resumed(
            long generation,
            int world,
            @JsonRawValue @JsonDeserialize(using = RawJson.class) String state,
            @JsonRawValue @JsonDeserialize(using = RawJson.class) String generators,
            @Nullable String warning)
            implements OfRun {}

    /** The connection to name in each {@link Request.Get}. */
    record Attached(String connection) implements Reply {}

    /** Batches of this stream go by Flight; {@code reason} says why not through shared memory. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UseFlight(Transport transport, String reason) implements Reply {
        public UseFlight(String reason) {
            this(Transport.FLIGHT, reason);
        }
    }

    /**
     * Where the batch lies: an encapsulated Arrow IPC record batch message.
     *
     * @param slot the number to free it by; never used twice within a connection
     * @param digests how many bytes of digests follow the message, those of the request's lanes as
     *     {@link PackedDigests#bytes} encodes them; absent if the run makes none
     * @param recorded as in {@link Recorded}; absent if the request has no receipts
     * @param warning as in {@link Recorded}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record InSlot(
            String file,
            long slot,
            long offset,
            long length,
            int rows,
            Integer digests,
            Long recorded,
            String warning)
            implements Reply {}

    /**
     * Sent with a batch in a Flight stream.
     *
     * @param digests of the request's lanes, as {@link PackedDigests#hex} writes them; absent if
     *     the run makes none
     * @param recorded as in {@link InSlot}
     * @param warning as in {@link Recorded}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record InStream(int rows, String digests, Long recorded, String warning) implements Reply {}

    /**
     * The receipts that are recorded.
     *
     * @param recorded the highest number such that all receipts of the session that reached this
     *     server, up to that number, are in the run directory or were lost with a warning; -1 for
     *     none
     * @param warning why receipts cannot be recorded now, for people; absent if they can
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Recorded(long recorded, String warning) implements Reply {}

    /** Noted. */
    record Noted() implements OfRun {}

    /**
     * Counters since the server's start. A step counts once for each of its lanes, each time it
     * comes.
     *
     * @param lanes by stream, then by lane
     * @param emitted steps received from the source
     * @param served steps that were handed to a trainer
     * @param remade of those emitted, steps at or before the furthest step that the lane had
     *     emitted
     * @param dropped steps closed because they were no longer requested
     * @param held steps that wait for a trainer now
     * @param waiting calls that wait for a step now
     * @param connections shared-memory connections open now
     * @param unrecorded steps whose lost records are not yet in the run directory as gaps
     * @param warning why nothing can be recorded now, for people; absent if recording works
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Stats(
            Map<String, Map<Integer, LaneStats>> lanes,
            long emitted,
            long served,
            long remade,
            long dropped,
            long held,
            int waiting,
            int connections,
            long unrecorded,
            String warning)
            implements Reply {}

    /**
     * The counters of one lane, as in {@link Stats}.
     *
     * @param position the trainer's position; absent if the lane has no active consumer
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record LaneStats(
            long emitted,
            long served,
            long remade,
            long dropped,
            long held,
            LanePosition position) {}

    /**
     * The next step that a trainer requests of a lane.
     *
     * @param ready whether the step is ready
     * @param waitingMs how long the trainer has waited for it, over all its calls; absent if it has
     *     not asked yet
     * @param idleMs how long the trainer has made no call; absent while a call of it waits
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record LanePosition(
            long generation,
            int rank,
            long epoch,
            long step,
            boolean ready,
            Long waitingMs,
            Long idleMs) {}

    /** The answer is pending: ask again. */
    record Pending(@JsonProperty("pending") String why) implements OfRun {}

    /** The request failed. */
    record Failure(Problem error) implements OfRun {
        public Failure(ErrorCode code, String message) {
            this(new Problem(code, message));
        }
    }

    /** A code for programs, a sentence for people. */
    record Problem(ErrorCode code, String message) implements Serializable {}
}
