package io.lockstep.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.lockstep.digest.PackedDigests;
import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import javax.annotation.Nullable;

/**
 * The requests of the hand-off protocol. On the wire each also carries the protocol's version, and
 * may name the {@code task} whose server it is for.
 */
public sealed interface Request {

    /** The Flight action that carries the request. */
    default Verb verb() {
        return Verb.of(getClass());
    }

    /** A request from a rank of a generation of trainers. */
    sealed interface OfRank extends Request {
        long generation();

        int rank();
    }

    /**
     * A request to the run as a whole. The job's enumerator answers it with {@link Reply.OfRun}.
     */
    sealed interface ToRun extends Request, Serializable {

        /** How long the server may hold the call; null for the default. */
        @Nullable
        default Long waitMs() {
            return null;
        }

        /** A name by which the client may end the call early; null for none. */
        @Nullable
        default String call() {
            return null;
        }

        /**
         * The same request without {@code waitMs} and {@code call}, which may differ when a client
         * repeats it.
         */
        default ToRun withoutWait() {
            return this;
        }
    }

    /**
     * The handshake.
     *
     * @param client names the client's release, for logs
     * @param task whose server is meant; absent for any server at that address
     * @param watch whether the client cannot read in the run directory why a job ended
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hello(String client, String task, Boolean watch) implements Request {}

    /**
     * Asks for the streams of the run and the servers of all lanes.
     *
     * @param waitMs how long the server may hold the call while the streams are unknown; absent for
     *     the default
     * @param call a name by which the client may end the call early; may be absent
     */
    record Routing(Long waitMs, String call) implements Request {}

    /**
     * Asks for the lengths of epochs of a stream.
     *
     * @param from the first epoch
     * @param count the number of epochs, 1 to {@link #MAX}
     */
    record Epochs(
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long from,
            @JsonProperty(required = true) int count)
            implements Request {

        /** The most epochs that one request may ask for. */
        public static final int MAX = 1024;
    }

    /**
     * Registers a rank.
     *
     * @param launch the name of the launch, the same for all its ranks
     * @param instance the same for all requests of one process
     * @param waitMs how long the server may hold a rank that waits for others; absent for the
     *     default
     * @param call a name by which the client may end the call early; may be absent
     */
    record Register(
            @JsonProperty(required = true) String launch,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) int world,
            String host,
            @JsonProperty(required = true) String instance,
            Long waitMs,
            String call)
            implements ToRun {
        @Override
        public Register withoutWait() {
            return new Register(launch, rank, world, host, instance, null, null);
        }
    }

    /**
     * A rank is about to take its first step of a stream, or its first step after a change of
     * position.
     *
     * @param round counts these requests from 1
     * @param agreement the settings that must be equal on all ranks, as text by name
     * @param waitMs how long the server may hold a rank that waits for others; absent for the
     *     default
     * @param call a name by which the client may end the call early; may be absent
     */
    record Start(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) int round,
            @JsonProperty(required = true) SortedMap<String, String> agreement,
            Long waitMs,
            String call)
            implements OfRank, ToRun {
        @Override
        public Start withoutWait() {
            return new Start(generation, rank, stream, round, agreement, null, null);
        }
    }

    /**
     * Ends a call that this server holds, because its client ends.
     *
     * @param call the name that the call carries
     */
    record Release(@JsonProperty(required = true) String call) implements Request {}

    /**
     * A rank's state is in a durable model checkpoint.
     *
     * @param epoch with {@code step}, the next step after the state
     * @param state the state that all ranks share: a JSON object
     * @param generators the states of this rank's random generators: any JSON; absent if not kept
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Commit(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) @JsonRawValue @JsonDeserialize(using = RawJson.class)
                    String state,
            @JsonRawValue @JsonDeserialize(using = RawJson.class) String generators)
            implements OfRank, ToRun {}

    /** A rank asks for the newest committed state of a stream. */
    record Resume(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream)
            implements OfRank, ToRun {}

    /** An event for the run's log; {@code epoch} and {@code step} are the trainer's next. */
    record Note(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) String text)
            implements OfRank {}

    /**
     * Opens a connection for a stream, in place of the previous one of that generation, rank and
     * stream.
     */
    record Attach(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) Transport transport)
            implements OfRank {}

    /** A rank needs no further steps of a stream. */
    record Detach(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream)
            implements OfRank {}

    /**
     * Requests the steps [from, upTo) ahead of use.
     *
     * @param upTo counted from the epoch's first step; a value beyond the last step continues into
     *     the next epoch
     */
    record WantSteps(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) List<Integer> lanes,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long from,
            @JsonProperty(required = true) long upTo)
            implements OfRank {}

    /**
     * Requests a step now, and those up to {@code upTo} ahead of use.
     *
     * @param lanes ascending; the batch holds their rows in this order
     * @param upTo counted from the epoch's first step; a value beyond the last step continues into
     *     the next epoch
     * @param waitMs how long the server may hold the call until the step is ready
     * @param connection the connection that receives the batch; absent under Flight
     * @param free slots of the connection that the client no longer needs
     * @param consumed the steps that the trainer's own code has received
     */
    record Get(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) List<Integer> lanes,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) long upTo,
            Long waitMs,
            String connection,
            List<Long> free,
            Receipts consumed)
            implements OfRank {}

    /**
     * Reports the steps that the trainer's own code has received. Accepted from any generation:
     * steps that an older one consumed before it was fenced count as consumed.
     *
     * @param waitMs how long the server may hold the reply until all is recorded; absent for the
     *     default, 0 for an immediate reply with the current progress
     */
    record Consumed(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) List<Integer> lanes,
            @JsonProperty(required = true) Receipts consumed,
            Long waitMs)
            implements OfRank {}

    /**
     * Steps that the trainer's own code has received, in that order, of the lanes that the request
     * names.
     *
     * @param session the client's name for its sequence of numbers; a new session starts a new
     *     sequence
     */
    record Receipts(
            @JsonProperty(required = true) String session,
            @JsonProperty(required = true) List<Receipt> steps) {}

    /**
     * One step.
     *
     * @param number ascending within the session
     * @param digests of the lanes, as {@link PackedDigests#hex} writes them
     */
    record Receipt(
            @JsonProperty(required = true) long number,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) String digests) {}

    /** A rank has finished cleanly. */
    record Close(
            @JsonProperty(required = true) long generation, @JsonProperty(required = true) int rank)
            implements OfRank, ToRun {}

    /**
     * Moves lanes to other readers.
     *
     * @param lanes by stream
     * @param to the readers' subtask numbers, as in the routing
     */
    record Move(
            @JsonProperty(required = true) SortedMap<String, List<Integer>> lanes,
            @JsonProperty(required = true) List<Integer> to)
            implements ToRun {}

    /** Asks for the server's counters. */
    record Stats() implements Request {}
}
