package io.lockstep.order;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings by name and value, as run files and fingerprints write them. */
final class SettingsText {

    private static final String SEED = "seed";
    private static final String LANES = "lanes";
    private static final String BATCH = "batch";
    private static final String WINDOW = "window";
    private static final String SHUFFLE = "shuffle";
    private static final String TAIL = "tail";

    private SettingsText() {}

    static Map<String, String> of(OrderSettings settings) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SEED, Long.toUnsignedString(settings.seed()));
        values.put(LANES, String.valueOf(settings.lanes()));
        values.put(BATCH, String.valueOf(settings.batch()));
        values.put(WINDOW, String.valueOf(settings.window()));
        values.put(SHUFFLE, settings.shuffle().toString());
        values.put(TAIL, settings.tail().toString());
        return Collections.unmodifiableMap(values);
    }

    static OrderSettings parse(Map<String, String> values) {
        Map<String, String> left = new LinkedHashMap<>(values);
        if (!left.containsKey(BATCH)) {
            throw new OrderException("batch is not set: it must be, there is no default");
        }
        int batch = number(BATCH, left.remove(BATCH));
        String givenLanes = left.remove(LANES);
        int lanes =
                givenLanes == null ? OrderSettings.defaultLanes(batch) : number(LANES, givenLanes);
        String givenWindow = left.remove(WINDOW);
        int window =
                givenWindow == null
                        ? OrderSettings.defaultWindow(lanes)
                        : number(WINDOW, givenWindow);
        String seed = left.remove(SEED);
        String shuffle = left.remove(SHUFFLE);
        String tail = left.remove(TAIL);
        if (!left.isEmpty()) {
            throw new OrderException(
                    "the order has no setting '"
                            + left.keySet().iterator().next()
                            + "': it has "
                            + String.join(", ", SEED, LANES, BATCH, WINDOW, SHUFFLE, TAIL));
        }
        return new OrderSettings(
                seed == null ? 0 : seed(seed),
                lanes,
                batch,
                window,
                shuffle == null ? Shuffle.LANE : Shuffle.parse(shuffle),
                tail == null ? Tail.DROP : Tail.parse(tail));
    }

    private static long seed(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new OrderException(
                    "seed is '" + text + "': it must be a whole number from 0 to 2^64 - 1");
        }
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new OrderException(
                    name + " is '" + text + "': it must be a whole number of at least 1");
        }
    }
}
