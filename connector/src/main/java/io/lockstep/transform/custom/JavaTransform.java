package io.lockstep.transform.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.transform.Transform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates transforms of classes on the class path. */
public final class JavaTransform {

    private static final String CLASS = "class";

    private static final ObjectMapper JSON = new ObjectMapper();

    public static final Kind KIND =
            new Kind(
                    "java",
                    "A class of your own on the class path: `java: com.example.MyTransform`, or `java:"
                            + " {class: com.example.MyTransform, ...}` with parameters. It implements"
                            + " `RowGroupTransform` or `BatchTransform` of `io.lockstep.transform`, and"
                            + " has a public constructor without arguments, or with one `Map<String,"
                            + " Object>` for the parameters. See [transforms in Java](#transforms-in-java).",
                    List.of(),
                    JavaTransform::create);

    private static final ParameterType<JsonNode> CALL =
            new ParameterType<>(
                    "the name of a class, or a group of keys with 'class'", JavaTransform::checked);

    private JavaTransform() {}

    private static JsonNode checked(JsonNode node) {
        if (node.isTextual() || node.path(CLASS).isTextual()) {
            return node;
        }
        throw new IllegalArgumentException(node.toString());
    }

    private static Transform create(TransformSpec spec) {
        JsonNode call = Parameters.whole(spec, CALL);
        String name = call.isTextual() ? call.textValue() : call.get(CLASS).textValue();
        Map<String, Object> parameters = new LinkedHashMap<>();
        if (call.isObject()) {
            call.fields()
                    .forEachRemaining(
                            each ->
                                    parameters.put(
                                            each.getKey(),
                                            JSON.convertValue(each.getValue(), Object.class)));
            parameters.remove(CLASS);
        }
        return instance(load(name), parameters);
    }

    private static Class<? extends Transform> load(String name) {
        try {
            Class<?> loaded =
                    Class.forName(name, true, Thread.currentThread().getContextClassLoader());
            return loaded.asSubclass(Transform.class);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new TransformException(
                    "the class "
                            + name
                            + " cannot be loaded ("
                            + e
                            + "): add its jar or folder to LOCKSTEP_CLASSPATH, and on a cluster to"
                            + " Flink's lib/ on every host",
                    e);
        } catch (ClassCastException e) {
            throw new TransformException(
                    "the class " + name + " is no RowGroupTransform and no BatchTransform", e);
        }
    }

    private static Transform instance(
            Class<? extends Transform> type, Map<String, Object> parameters) {
        try {
            for (Constructor<?> constructor : type.getConstructors()) {
                if (List.of(constructor.getParameterTypes()).equals(List.of(Map.class))) {
                    return type.cast(constructor.newInstance(parameters));
                }
            }
            if (parameters.isEmpty()) {
                return type.getConstructor().newInstance();
            }
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof TransformException wrong) {
                throw wrong;
            }
            throw new TransformException(
                    "the constructor of " + type.getName() + " failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new TransformException(
                    type.getName()
                            + " cannot be created ("
                            + e
                            + "): it needs a public constructor",
                    e);
        }
        throw new TransformException(
                type.getName()
                        + " takes no parameters: it has no public constructor with one Map<String,"
                        + " Object>");
    }
}
