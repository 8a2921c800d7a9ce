package io.lockstep;

import java.util.Locale;
import org.apache.flink.annotation.Internal;

/** Formats counts with their nouns for messages. */
@Internal
public final class Plural {

    private Plural() {}

    /**
     * Formats a count, for example {@code 1 row} or {@code 1,234 rows}.
     *
     * @param one the singular noun; the plural appends an s
     */
    public static String of(long number, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
    }
}
