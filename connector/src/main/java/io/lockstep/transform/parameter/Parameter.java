package io.lockstep.transform.parameter;

import javax.annotation.Nullable;

/**
 * A parameter of a kind of transform.
 *
 * @param name as users write it
 * @param type of its value
 * @param absent the value if it is not given; null if it may be absent without one
 * @param required whether it must be given
 * @param meaning a sentence for the reference
 */
public record Parameter<T>(
        String name, ParameterType<T> type, @Nullable T absent, boolean required, String meaning) {

    /** A parameter that must be given. */
    public static <T> Parameter<T> required(String name, ParameterType<T> type, String meaning) {
        return new Parameter<>(name, type, null, true, meaning);
    }

    /** A parameter with a default; null if it has none. */
    public static <T> Parameter<T> optional(
            String name, ParameterType<T> type, @Nullable T absent, String meaning) {
        return new Parameter<>(name, type, absent, false, meaning);
    }
}
