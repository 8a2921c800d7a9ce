package io.lockstep.handoff.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.digest.PackedDigests;
import java.util.List;
import java.util.SortedMap;

/**
 * The requests of the hand-off protocol. On the wire each also carries the protocol's version, and
 * may name the {@code task} whose server it is for.
 */
public sealed interface Request {

    /** The Flight action that carries the request. */
    Verb verb();

    /**
     * The handshake.
     *
     * @param client names the client's release, for logs
     * @param task whose server is meant; absent for whoever is there
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hello(String client, String task) implements Request {
        @Override
        public Verb verb() {
            return Verb.HELLO;
        }
    }

    /**
     * Asks for the streams of the run and for the servers of all lanes.
     *
     * @param waitMs for how long it may be held while the streams are not known; absent for the
     *     default
     * @param call a name by which the client may end the call early; may be absent
     */
    record Routing(Long waitMs, String call) implements Request {
        @Override
        public Verb verb() {
            return Verb.ROUTING;
        }
    }

    /**
     * Asks how long epochs of a stream are.
     *
     * @param from the first of them
     * @param count how many, 1 to {@link #MOST}
     */
    record Epochs(
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long from,
            @JsonProperty(required = true) int count)
            implements Request {

        /** The most epochs that one request may ask for. */
        public static final int MOST = 1024;

        @Override
        public Verb verb() {
            return Verb.EPOCHS;
        }
    }

    /**
     * A rank reports for duty.
     *
     * @param launch the name of the launch, the same for all its ranks
     * @param instance the same for all requests of one process
     * @param waitMs for how long a rank that waits for others may be held; absent for the default
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
            implements Request {
        @Override
        public Verb verb() {
            return Verb.REGISTER;
        }
    }

    /**
     * A rank is about to take its first step of a stream, or its first after it has gone elsewhere.
     *
     * @param round counts these from 1
     * @param agreement what must be the same for all ranks, in words, by name
     * @param waitMs for how long a rank that waits for others may be held; absent for the default
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
            implements Request {
        @Override
        public Verb verb() {
            return Verb.START;
        }
    }

    /**
     * Ends a call that this server holds, since its client ends.
     *
     * @param call as the call names itself
     */
    record Release(@JsonProperty(required = true) String call) implements Request {
        @Override
        public Verb verb() {
            return Verb.RELEASE;
        }
    }

    /**
     * A rank's state is in a durable model checkpoint.
     *
     * @param epoch with {@code step}, the next step after the state
     * @param state what all ranks have in common
     * @param generators the states of this rank's random generators; absent where not kept
     */
    record Commit(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) JsonNode state,
            JsonNode generators)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.COMMIT;
        }
    }

    /** A rank asks for the newest committed state of a stream. */
    record Resume(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.RESUME;
        }
    }

    /** An event for the run's log; {@code epoch} and {@code step} are the trainer's next. */
    record Note(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long step,
            @JsonProperty(required = true) String text)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.NOTE;
        }
    }

    /**
     * Opens a connection for a stream, in place of the former of that generation, rank and stream.
     */
    record Attach(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) Transport transport)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.ATTACH;
        }
    }

    /** A rank wants nothing more of a stream. */
    record Detach(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.DETACH;
        }
    }

    /**
     * Has the steps [from, upTo) made ahead of use.
     *
     * @param upTo counted from the epoch's first step; beyond the last it goes on in the next epoch
     */
    record WantSteps(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) List<Integer> lanes,
            @JsonProperty(required = true) long epoch,
            @JsonProperty(required = true) long from,
            @JsonProperty(required = true) long upTo)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.WANT;
        }
    }

    /**
     * Asks for a step, and has those up to {@code upTo} made ahead of use.
     *
     * @param lanes ascending; the batch holds their rows in this order
     * @param upTo counted from the epoch's first step; beyond the last it goes on in the next epoch
     * @param waitMs how long the server may hold the call until the step is there
     * @param connection where the batch is to be put; absent under Flight
     * @param free slots of the connection that the client needs no longer
     * @param consumed what the trainer's own code has received
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
            implements Request {
        @Override
        public Verb verb() {
            return Verb.GET;
        }
    }

    /**
     * Says what the trainer's own code has received. Of any generation: what an older one has
     * consumed before it was fenced, it has consumed.
     *
     * @param waitMs how long the reply may wait until all is recorded; absent for the default, 0
     *     for a reply that says how far it is
     */
    record Consumed(
            @JsonProperty(required = true) long generation,
            @JsonProperty(required = true) int rank,
            @JsonProperty(required = true) String stream,
            @JsonProperty(required = true) List<Integer> lanes,
            @JsonProperty(required = true) Receipts consumed,
            Long waitMs)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.CONSUMED;
        }
    }

    /**
     * Steps that the trainer's own code has received, in that order, of the lanes that the request
     * names.
     *
     * @param session the client's name for its numbers; a new one begins anew
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
            implements Request {
        @Override
        public Verb verb() {
            return Verb.CLOSE;
        }
    }

    /**
     * Has lanes served by other readers.
     *
     * @param lanes by stream
     * @param to the readers by number, as in the routing
     */
    record Move(
            @JsonProperty(required = true) SortedMap<String, List<Integer>> lanes,
            @JsonProperty(required = true) List<Integer> to)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.MOVE;
        }
    }

    /** Asks for the server's counters. */
    record Stats() implements Request {
        @Override
        public Verb verb() {
            return Verb.STATS;
        }
    }
}
