package io.lockstep.transform;

import io.lockstep.python.PythonSettings;
import java.io.Serializable;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A transform as the user names it.
 *
 * @param name of the instance, unique within its stream; the kind by default
 * @param kind selects the implementation, for example {@code clip}
 * @param parameters of the kind, as the text of a JSON object
 * @param python how Python functions run; null for kinds without one
 */
@PublicEvolving
public record TransformSpec(
        String name, String kind, String parameters, @Nullable PythonSettings python)
        implements Serializable {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /**
     * @throws TransformException if the name is invalid
     */
    public TransformSpec {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(parameters, "parameters");
        if (!NAME.matcher(name).matches()) {
            throw new TransformException(
                    "the name '"
                            + name
                            + "' of a transform cannot be used: take letters, digits, '-' and '_'"
                            + " (at most 64)");
        }
    }

    /** A transform without Python functions. */
    public TransformSpec(String name, String kind, String parameters) {
        this(name, kind, parameters, null);
    }

    /** Returns the same transform with these settings of Python functions. */
    public TransformSpec with(PythonSettings settings) {
        return new TransformSpec(name, kind, parameters, settings);
    }
}
