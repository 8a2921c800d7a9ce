package io.lockstep.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The Flight actions of the hand-off protocol. */
public enum Verb {
    HELLO(Request.Hello.class),
    ROUTING(Request.Routing.class),
    EPOCHS(Request.Epochs.class),
    REGISTER(Request.Register.class),
    START(Request.Start.class),
    RELEASE(Request.Release.class),
    COMMIT(Request.Commit.class),
    RESUME(Request.Resume.class),
    NOTE(Request.Note.class),
    ATTACH(Request.Attach.class),
    DETACH(Request.Detach.class),
    WANT(Request.WantSteps.class),
    GET(Request.Get.class),
    CONSUMED(Request.Consumed.class),
    CLOSE(Request.Close.class),
    MOVE(Request.Move.class),
    STATS(Request.Stats.class);

    private final Class<? extends Request> request;

    Verb(Class<? extends Request> request) {
        this.request = request;
    }

    /** The type of its requests. */
    public Class<? extends Request> request() {
        return request;
    }

    /** The action's type on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Verb of(Class<? extends Request> request) {
        return Arrays.stream(values()).filter(v -> v.request == request).findFirst().orElseThrow();
    }

    public static Optional<Verb> of(String wireName) {
        return Arrays.stream(values()).filter(v -> v.wireName().equals(wireName)).findFirst();
    }

    /** All names, for messages. */
    public static List<String> wireNames() {
        return Arrays.stream(values()).map(Verb::wireName).toList();
    }
}
