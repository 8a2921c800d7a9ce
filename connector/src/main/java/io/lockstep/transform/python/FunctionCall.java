package io.lockstep.transform.python;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.ParameterType;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What the run file says about a function: {@code function}, {@code columns} and {@code adds}; all
 * other keys are parameters of the function. Immutable.
 *
 * @param function {@code module:function}
 * @param columns that it reads, as users write them
 * @param adds the types of the columns that it returns, by name
 * @param parameters as the text of a JSON object
 */
record FunctionCall(
        String function, List<String> columns, Map<String, String> adds, String parameters)
        implements Serializable {

    static final String FUNCTION = "function";
    static final String COLUMNS = "columns";
    static final String ADDS = "adds";

    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*:[A-Za-z_]\\w*");

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the parameters of a transform.
     *
     * @throws TransformException if one is missing or wrong
     */
    static FunctionCall of(TransformSpec spec) {
        JsonNode values;
        try {
            values = JSON.readTree(spec.parameters());
        } catch (JsonProcessingException e) {
            throw new TransformException("its parameters are not JSON: " + spec.parameters(), e);
        }
        if (!(values instanceof ObjectNode object)) {
            throw new TransformException("its parameters must be a group of keys");
        }
        ObjectNode parameters = object.deepCopy();
        String function = take(parameters, FUNCTION, ParameterType.TEXT);
        if (!NAME.matcher(function).matches()) {
            throw new TransformException(
                    "'function' is '" + function + "'; it must be 'module:function'");
        }
        List<String> columns = take(parameters, COLUMNS, ParameterType.COLUMNS);
        Map<String, String> adds = take(parameters, ADDS, ParameterType.TEXTS);
        adds.forEach(DeclaredColumn::of);
        return new FunctionCall(function, columns, adds, parameters.toString());
    }

    private static <T> T take(ObjectNode values, String name, ParameterType<T> type) {
        JsonNode value = values.remove(name);
        if (value == null) {
            throw new TransformException("it needs the parameter '" + name + "': " + type.words());
        }
        try {
            return type.reader().apply(value);
        } catch (IllegalArgumentException e) {
            throw new TransformException(
                    String.format(
                            "the parameter '%s' is %s; it must be %s", name, value, type.words()));
        }
    }

    /** The columns that it returns. */
    List<Field> declared() {
        List<Field> fields = new ArrayList<>();
        adds.forEach((name, type) -> fields.add(DeclaredColumn.of(name, type)));
        return fields;
    }

    /** The frame that calls it. */
    byte[] frame() {
        ObjectNode frame = JsonNodeFactory.instance.objectNode();
        try {
            frame.put(FUNCTION, function);
            frame.set("parameters", JSON.readTree(parameters));
            frame.put(ADDS, new Schema(declared()).serializeAsMessage());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON object is no JSON", e);
        }
        return frame.toString().getBytes(StandardCharsets.UTF_8);
    }
}
