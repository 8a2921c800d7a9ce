package io.lockstep.transform.parameter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.Nearest;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import java.util.Iterator;
import java.util.List;

/** The parameters that a user gave to one transform. Immutable. */
public final class Parameters {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode values;

    private Parameters(JsonNode values) {
        this.values = values;
    }

    /**
     * Parses the parameters of a transform.
     *
     * @param known what the kind declares
     * @throws TransformException if a parameter is unknown
     */
    public static Parameters of(TransformSpec spec, List<Parameter<?>> known) {
        JsonNode values;
        try {
            values = JSON.readTree(spec.parameters());
        } catch (JsonProcessingException e) {
            throw new TransformException("its parameters are not JSON: " + spec.parameters(), e);
        }
        if (!values.isObject()) {
            throw new TransformException("its parameters must be a group of keys");
        }
        List<String> names = known.stream().map(Parameter::name).toList();
        for (Iterator<String> given = values.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            if (!names.contains(name)) {
                throw new TransformException(
                        "unknown parameter '"
                                + name
                                + "'."
                                + Nearest.suggestion(name, names)
                                + " It takes "
                                + String.join(", ", names)
                                + ".");
            }
        }
        return new Parameters(values);
    }

    /**
     * The whole object, for kinds whose keys are chosen by the user, such as columns.
     *
     * @throws TransformException if it does not have this type
     */
    public static <T> T whole(TransformSpec spec, ParameterType<T> type) {
        try {
            return type.reader().apply(JSON.readTree(spec.parameters()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new TransformException("its parameters must be " + type.words(), e);
        }
    }

    /**
     * The value of a parameter, or its default.
     *
     * @throws TransformException if it is missing or does not have its type
     */
    public <T> T get(Parameter<T> parameter) {
        JsonNode value = values.get(parameter.name());
        if (value == null) {
            if (parameter.required()) {
                throw new TransformException(
                        "it needs the parameter '"
                                + parameter.name()
                                + "': "
                                + parameter.type().words());
            }
            return parameter.absent();
        }
        try {
            return parameter.type().reader().apply(value);
        } catch (IllegalArgumentException e) {
            throw new TransformException(
                    String.format(
                            "the parameter '%s' is %s; it must be %s",
                            parameter.name(), value, parameter.type().words()));
        }
    }

    /** Whether the user gave it. */
    public boolean has(Parameter<?> parameter) {
        return values.has(parameter.name());
    }
}
