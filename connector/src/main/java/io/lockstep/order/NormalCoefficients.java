package io.lockstep.order;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The coefficients of {@link NormalNumber}, which all implementations read from the same file: hex
 * doubles in the order of the file.
 */
final class NormalCoefficients {

    private static final String FILE = "normal.json";
    private static final Pattern HEX_DOUBLE = Pattern.compile("-?0x[0-9a-f.]+p[-+]?[0-9]+");

    private NormalCoefficients() {}

    /**
     * Reads the coefficients of all segments.
     *
     * @throws IllegalStateException if the file is missing or has another count
     */
    static double[] load(int count) {
        try (InputStream in = NormalCoefficients.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing beside the classes");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            double[] found =
                    HEX_DOUBLE
                            .matcher(text)
                            .results()
                            .map(MatchResult::group)
                            .mapToDouble(Double::parseDouble)
                            .toArray();
            if (found.length != count) {
                throw new IllegalStateException(
                        String.format(
                                "%s has %d coefficients instead of %d", FILE, found.length, count));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
