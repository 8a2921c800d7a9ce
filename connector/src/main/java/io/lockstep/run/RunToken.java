package io.lockstep.run;

import io.lockstep.UserException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;

/**
 * The secret that authenticates every call to a server of a run: 32 random bytes as 64 hexadecimal
 * digits.
 *
 * <p>It is stored in the file {@code token} of the run directory and in the serialized sink. Only
 * {@link #authorization} and the file reveal it; {@link #toString} does not.
 */
@Internal
public final class RunToken implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The environment variable that holds a token. */
    public static final String VARIABLE = "LOCKSTEP_TOKEN";

    /** The environment variable that names a file with a token. */
    public static final String FILE_VARIABLE = "LOCKSTEP_TOKEN_FILE";

    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
    private static final String SCHEME = "Bearer ";

    private final String digits;

    private RunToken(String digits) {
        this.digits = digits;
    }

    /** Generates a random token. */
    public static RunToken random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new RunToken(HexFormat.of().formatHex(bytes));
    }

    /**
     * Reads a token, with or without a line feed.
     *
     * @param the origin of the text, for the message
     * @throws UserException if the text is not a token; the message does not contain it
     */
    public static RunToken parse(String text, String where) {
        String digits = text.strip();
        if (!FORM.matcher(digits).matches()) {
            throw new UserException(
                    where
                            + " does not hold a token of 64 hexadecimal digits: copy the content of"
                            + " the file 'token' in the run directory");
        }
        return new RunToken(digits);
    }

    /**
     * The token from the environment: {@code LOCKSTEP_TOKEN}, else the content of the file named by
     * {@code LOCKSTEP_TOKEN_FILE}; empty if neither is set.
     *
     * @throws UserException if the value is not a token or the file cannot be read
     */
    public static Optional<RunToken> ofEnvironment(Map<String, String> environment) {
        String text = environment.get(VARIABLE);
        if (text != null && !text.isEmpty()) {
            return Optional.of(parse(text, "the variable " + VARIABLE));
        }
        String file = environment.get(FILE_VARIABLE);
        if (file == null || file.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(Files.readString(Path.of(file)), "the file " + file));
        } catch (IOException e) {
            throw new UserException(
                    "the file " + file + " of " + FILE_VARIABLE + " cannot be read: " + e, e);
        }
    }

    /** The content of the token file. */
    byte[] content() {
        return (digits + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of the header {@code authorization}. */
    public String authorization() {
        return SCHEME + digits;
    }

    /**
     * Whether a value of the header {@code authorization} matches this token. Compares in constant
     * time.
     */
    public boolean authorizes(@Nullable String header) {
        return header != null
                && MessageDigest.isEqual(
                        header.getBytes(StandardCharsets.UTF_8),
                        authorization().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "RunToken";
    }
}
