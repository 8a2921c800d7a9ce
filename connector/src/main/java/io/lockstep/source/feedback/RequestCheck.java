package io.lockstep.source.feedback;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Request;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Checks every field of a request before the request has an effect. The server checks each request,
 * and the enumerator those to the run, since a server may not know the streams yet. Only the
 * enumerator knows the ranks of the newest generation and the readers, and checks them itself.
 */
public final class RequestCheck {

    private static final int MAX_NAME = 255;
    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_AGREED = 64;
    private static final int MAX_ELEMENTS = 64 << 10;

    /** The length of an Arrow digest of one lane in hexadecimal digits. */
    private static final int DIGEST_DIGITS = 32;

    private final Collection<StreamInfo> streams;

    /**
     * @param streams those of the run; empty while they are unknown
     */
    public RequestCheck(Collection<StreamInfo> streams) {
        this.streams = streams;
    }

    /**
     * Checks a request.
     *
     * @throws HandoffException with the first invalid field; code {@code bad-request}, or {@code
     *     unknown-stream}
     */
    public void check(Request request) {
        if (request instanceof Request.Hello hello) {
            optionalName("client", hello.client());
        } else if (request instanceof Request.Routing routing) {
            held(routing.waitMs(), routing.call());
        } else if (request instanceof Request.Epochs epochs) {
            stream(epochs.stream());
        } else if (request instanceof Request.Register register) {
            register(register);
        } else if (request instanceof Request.Release release) {
            name("call", release.call());
        } else if (request instanceof Request.Move move) {
            move(move);
        } else if (request instanceof Request.OfRank ofRank) {
            rank(ofRank);
        }
    }

    private void rank(Request.OfRank request) {
        if (request.generation() < 1) {
            throw bad("generation", "is " + request.generation() + ": generations count from 1");
        }
        int most = maxLanes();
        if (request.rank() < 0 || request.rank() >= most) {
            throw bad(
                    "rank",
                    "is "
                            + request.rank()
                            + ": a run with "
                            + most
                            + " lanes has at most as many ranks");
        }
        if (request instanceof Request.Start start) {
            start(start);
        } else if (request instanceof Request.Commit commit) {
            stream(commit.stream());
            next(commit.stream(), commit.epoch(), commit.step());
            text("state", commit.state(), Integer.MAX_VALUE);
            if (!commit.state().startsWith("{")) {
                throw bad("state", "is not a JSON object");
            }
            if (commit.generators() != null) {
                text("generators", commit.generators(), Integer.MAX_VALUE);
            }
        } else if (request instanceof Request.Resume resume) {
            stream(resume.stream());
        } else if (request instanceof Request.Note note) {
            stream(note.stream());
            next(note.stream(), note.epoch(), note.step());
            text("text", note.text(), MAX_TEXT);
        } else if (request instanceof Request.Attach attach) {
            stream(attach.stream());
            present("transport", attach.transport());
        } else if (request instanceof Request.Detach detach) {
            stream(detach.stream());
        } else if (request instanceof Request.WantSteps want) {
            stream(want.stream());
            lanes(want.stream(), want.lanes());
            notNegative("upTo", want.upTo());
        } else if (request instanceof Request.Get get) {
            get(get);
        } else if (request instanceof Request.Consumed consumed) {
            stream(consumed.stream());
            lanes(consumed.stream(), consumed.lanes());
            wait(consumed.waitMs());
            present("consumed", consumed.consumed());
            receipts(consumed.stream(), consumed.lanes(), consumed.consumed());
        }
    }

    private void register(Request.Register request) {
        name("launch", request.launch());
        optionalName("host", request.host());
        name("instance", request.instance());
        held(request.waitMs(), request.call());
        int most = maxLanes();
        if (request.world() < 1 || request.world() > most) {
            throw bad(
                    "world",
                    "is "
                            + request.world()
                            + ": a run with "
                            + most
                            + " lanes has 1 to "
                            + most
                            + " ranks");
        }
        if (request.rank() < 0 || request.rank() >= request.world()) {
            throw bad(
                    "rank",
                    "is "
                            + request.rank()
                            + ", which is not one of the ranks 0 to "
                            + (request.world() - 1));
        }
    }

    private void start(Request.Start request) {
        stream(request.stream());
        held(request.waitMs(), request.call());
        if (request.round() < 1) {
            throw bad("round", "is " + request.round() + ": rounds count from 1");
        }
        present("agreement", request.agreement());
        size("agreement", request.agreement().keySet(), MAX_AGREED);
        for (Map.Entry<String, String> agreed : request.agreement().entrySet()) {
            text("agreement", agreed.getKey(), MAX_NAME);
            text("agreement", agreed.getValue(), MAX_TEXT);
        }
    }

    private void get(Request.Get get) {
        stream(get.stream());
        lanes(get.stream(), get.lanes());
        notNegative("upTo", get.upTo());
        wait(get.waitMs());
        optionalName("connection", get.connection());
        if (get.free() != null) {
            size("free", get.free(), MAX_ELEMENTS);
        }
        if (get.consumed() != null) {
            receipts(get.stream(), get.lanes(), get.consumed());
        }
    }

    private void receipts(String stream, List<Integer> lanes, Request.Receipts receipts) {
        name("session", receipts.session());
        size("steps", receipts.steps(), MAX_ELEMENTS);
        for (Request.Receipt receipt : receipts.steps()) {
            notNegative("number", receipt.number());
            position(stream, receipt.epoch(), receipt.step());
            text("digests", receipt.digests(), Integer.MAX_VALUE);
            if (receipt.digests().length() != DIGEST_DIGITS * lanes.size()) {
                throw bad(
                        "digests",
                        "has "
                                + receipt.digests().length()
                                + " digits: a receipt needs one digest for each of its lanes, of "
                                + DIGEST_DIGITS
                                + " digits");
            }
        }
    }

    private void move(Request.Move move) {
        present("lanes", move.lanes());
        size("lanes", move.lanes().keySet(), MAX_ELEMENTS);
        move.lanes().forEach(this::lanes);
        size("to", move.to(), MAX_ELEMENTS);
    }

    /** The most lanes of any stream, which bounds the world size. */
    private int maxLanes() {
        return streams.stream()
                .mapToInt(stream -> stream.order().lanes())
                .max()
                .orElse(Integer.MAX_VALUE);
    }

    private void stream(String name) {
        name("stream", name);
        known(name);
    }

    /** The stream of that name; null while the streams are unknown. */
    @Nullable
    private StreamInfo known(String name) {
        return streams.isEmpty()
                ? null
                : streams.stream()
                        .filter(stream -> stream.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknownStream(name, streams));
    }

    /** The error for a stream that the run does not have. */
    public static HandoffException unknownStream(String name, Collection<StreamInfo> streams) {
        return new HandoffException(
                ErrorCode.UNKNOWN_STREAM,
                String.format(
                        "the run has no stream '%s': it has %s",
                        name,
                        streams.stream()
                                .map(stream -> "'" + stream.name() + "'")
                                .collect(Collectors.joining(", "))));
    }

    private void lanes(String stream, List<Integer> lanes) {
        size("lanes", lanes, MAX_ELEMENTS);
        StreamInfo known = known(stream);
        int count = known == null ? Integer.MAX_VALUE : known.order().lanes();
        int last = -1;
        for (int lane : lanes) {
            if (lane <= last || lane >= count) {
                last = count;
                break;
            }
            last = lane;
        }
        if (lanes.isEmpty() || last == count) {
            throw bad(
                    "lanes",
                    "cannot be asked for: name one or more of 0 to "
                            + (count - 1)
                            + " of the stream '"
                            + stream
                            + "' in ascending order");
        }
    }

    /** Checks that the stream has the step. */
    private void position(String stream, long epoch, long step) {
        StreamInfo known = known(stream);
        if (known == null) {
            notNegative("epoch", epoch);
            notNegative("step", step);
            return;
        }
        try {
            known.table().position(epoch, step);
        } catch (IndexOutOfBoundsException e) {
            throw bad("step", "of the stream '" + stream + "': " + e.getMessage());
        }
    }

    /**
     * Checks the next step of a state: in one of the run's epochs, or the first step after them.
     */
    private void next(String stream, long epoch, long step) {
        position(stream, epoch, step);
        StreamInfo known = known(stream);
        if (known != null) {
            int epochs = known.epochs();
            if (epoch > epochs || epoch == epochs && step > 0) {
                throw bad(
                        "epoch",
                        String.format(
                                "is %d, step %d: the stream '%s' has the epochs 0 to %d",
                                epoch, step, stream, epochs - 1));
            }
        }
    }

    private static void held(@Nullable Long waitMs, @Nullable String call) {
        wait(waitMs);
        optionalName("call", call);
    }

    private static void wait(@Nullable Long waitMs) {
        if (waitMs != null) {
            notNegative("waitMs", waitMs);
        }
    }

    private static void notNegative(String field, long value) {
        if (value < 0) {
            throw bad(field, "is " + value + ": it must not be negative");
        }
    }

    private static void present(String field, @Nullable Object value) {
        if (value == null) {
            throw bad(field, "is missing");
        }
    }

    private static void size(String field, @Nullable Collection<?> elements, int most) {
        present(field, elements);
        if (elements.size() > most) {
            throw bad(field, "has " + elements.size() + " elements: at most " + most);
        }
        if (elements.stream().anyMatch(element -> element == null)) {
            throw bad(field, "has a null in it");
        }
    }

    private static void optionalName(String field, @Nullable String value) {
        if (value != null) {
            name(field, value);
        }
    }

    private static void name(String field, @Nullable String value) {
        text(field, value, MAX_NAME);
        if (value.isEmpty() || value.chars().anyMatch(Character::isISOControl)) {
            throw bad(field, "is empty or has a control character in it");
        }
    }

    private static void text(String field, @Nullable String value, int most) {
        present(field, value);
        if (value.length() > most) {
            throw bad(field, "has " + value.length() + " characters: at most " + most);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw bad(field, "has half of a surrogate pair in it");
        }
    }

    private static HandoffException bad(String field, String what) {
        return new HandoffException(ErrorCode.BAD_REQUEST, "\"" + field + "\" " + what);
    }
}
