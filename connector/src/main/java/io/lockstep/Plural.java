package io.lockstep;

import java.util.Locale;
import org.apache.flink.annotation.Internal;

/** Numbers with their nouns in messages. */
@Internal
public final class Plural {

    private Plural() {}

    /**
     * Such as {@code 1 row} and {@code 1,234 rows}.
     *
     * @param one the noun as it stands after 1; the plural takes an s
     */
    public static String of(long number, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
    }
}
