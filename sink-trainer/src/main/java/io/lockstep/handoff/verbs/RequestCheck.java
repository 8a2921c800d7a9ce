package io.lockstep.handoff.verbs;

import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.handoff.state.ServedStream;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Request;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Checks every field of a request before the request has an effect. The enumerator checks again
 * what only it knows, such as the current world size. Thread-safe.
 */
public final class RequestCheck {

    private static final int MOST_NAME = 255;
    private static final int MOST_TEXT = 64 << 10;
    private static final int MOST_AGREED = 64;
    private static final int MOST_ELEMENTS = 64 << 10;

    /** The length of an Arrow digest of one lane in hexadecimal digits. */
    private static final int DIGEST_DIGITS = 32;

    private final RunStateHolder state;

    public RequestCheck(RunStateHolder state) {
        this.state = state;
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
        } else if (request instanceof Request.Start start) {
            start(start);
        } else if (request instanceof Request.Release release) {
            name("call", release.call());
        } else if (request instanceof Request.Move move) {
            move(move);
        } else {
            ofRank(request);
        }
    }

    private void ofRank(Request request) {
        if (request instanceof Request.Commit commit) {
            rank(commit.generation(), commit.rank(), commit.stream());
            next(commit.stream(), commit.epoch(), commit.step());
            present("state", commit.state());
            text("state", commit.state().toString(), Integer.MAX_VALUE);
            if (commit.generators() != null) {
                text("generators", commit.generators().toString(), Integer.MAX_VALUE);
            }
        } else if (request instanceof Request.Resume resume) {
            rank(resume.generation(), resume.rank(), resume.stream());
        } else if (request instanceof Request.Note note) {
            rank(note.generation(), note.rank(), note.stream());
            next(note.stream(), note.epoch(), note.step());
            text("text", note.text(), MOST_TEXT);
        } else if (request instanceof Request.Attach attach) {
            rank(attach.generation(), attach.rank(), attach.stream());
            present("transport", attach.transport());
        } else if (request instanceof Request.Detach detach) {
            rank(detach.generation(), detach.rank(), detach.stream());
        } else if (request instanceof Request.WantSteps want) {
            rank(want.generation(), want.rank(), want.stream());
            lanes(want.stream(), want.lanes());
            notNegative("upTo", want.upTo());
        } else if (request instanceof Request.Get get) {
            get(get);
        } else if (request instanceof Request.Consumed consumed) {
            rank(consumed.generation(), consumed.rank(), consumed.stream());
            lanes(consumed.stream(), consumed.lanes());
            wait(consumed.waitMs());
            present("consumed", consumed.consumed());
            receipts(consumed.stream(), consumed.lanes(), consumed.consumed());
        } else if (request instanceof Request.Close close) {
            rank(close.generation(), close.rank());
        }
    }

    private void register(Request.Register request) {
        name("launch", request.launch());
        optionalName("host", request.host());
        name("instance", request.instance());
        held(request.waitMs(), request.call());
        RunState now = state.get();
        int most = mostLanes(now);
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
        rank(request.generation(), request.rank(), request.stream());
        held(request.waitMs(), request.call());
        if (request.round() < 1) {
            throw bad("round", "is " + request.round() + ": rounds count from 1");
        }
        present("agreement", request.agreement());
        size("agreement", request.agreement().keySet(), MOST_AGREED);
        for (Map.Entry<String, String> agreed : request.agreement().entrySet()) {
            text("agreement", agreed.getKey(), MOST_NAME);
            text("agreement", agreed.getValue(), MOST_TEXT);
        }
    }

    private void get(Request.Get get) {
        rank(get.generation(), get.rank(), get.stream());
        lanes(get.stream(), get.lanes());
        notNegative("upTo", get.upTo());
        wait(get.waitMs());
        optionalName("connection", get.connection());
        if (get.free() != null) {
            size("free", get.free(), MOST_ELEMENTS);
        }
        if (get.consumed() != null) {
            receipts(get.stream(), get.lanes(), get.consumed());
        }
    }

    private void receipts(String stream, List<Integer> lanes, Request.Receipts receipts) {
        name("session", receipts.session());
        size("steps", receipts.steps(), MOST_ELEMENTS);
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
        size("lanes", move.lanes().keySet(), MOST_ELEMENTS);
        move.lanes().forEach(this::lanes);
        size("to", move.to(), MOST_ELEMENTS);
    }

    private void rank(long generation, int rank, String stream) {
        rank(generation, rank);
        stream(stream);
    }

    private void rank(long generation, int rank) {
        if (generation < 1) {
            throw bad("generation", "is " + generation + ": generations count from 1");
        }
        int most = mostLanes(state.get());
        if (rank < 0 || rank >= most) {
            throw bad(
                    "rank",
                    "is " + rank + ": a run with " + most + " lanes has at most as many ranks");
        }
    }

    /** The most lanes of any stream, which bounds the world size. */
    private static int mostLanes(RunState now) {
        return now.streams().values().stream()
                .mapToInt(stream -> stream.info().order().lanes())
                .max()
                .orElse(Integer.MAX_VALUE);
    }

    private void stream(String name) {
        name("stream", name);
        known(name);
    }

    /** The stream of that name; null while the server does not know the streams. */
    @Nullable
    private ServedStream known(String name) {
        RunState now = state.get();
        return now.streams().isEmpty() ? null : now.stream(name);
    }

    private void lanes(String stream, List<Integer> lanes) {
        size("lanes", lanes, MOST_ELEMENTS);
        ServedStream known = known(stream);
        int count = known == null ? Integer.MAX_VALUE : known.info().order().lanes();
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
        ServedStream known = known(stream);
        if (known == null) {
            notNegative("epoch", epoch);
            notNegative("step", step);
            return;
        }
        try {
            known.info().table().position(epoch, step);
        } catch (IndexOutOfBoundsException e) {
            throw bad("step", "of the stream '" + stream + "': " + e.getMessage());
        }
    }

    /**
     * Checks the next step of a state: in one of the run's epochs, or the first step after them.
     */
    private void next(String stream, long epoch, long step) {
        position(stream, epoch, step);
        ServedStream known = known(stream);
        if (known != null) {
            int epochs = known.info().epochs();
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
        text(field, value, MOST_NAME);
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
