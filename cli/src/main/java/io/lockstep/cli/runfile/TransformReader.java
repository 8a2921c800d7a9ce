package io.lockstep.cli.runfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.registry.TransformRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the transforms of a stream: a list of groups with the kind as key and its parameters as
 * value, beside an optional {@code name}.
 */
final class TransformReader {

    private static final String NAME = "name";

    private final String file;
    private final String stream;

    TransformReader(String file, String stream) {
        this.file = file;
        this.stream = stream;
    }

    /**
     * Reads and checks the transforms.
     *
     * @throws RunFileException with the line of the wrong one
     */
    List<TransformSpec> read(List<Node> nodes) {
        List<TransformSpec> specs = new ArrayList<>();
        for (Node node : nodes) {
            try {
                specs.add(spec(node));
                TransformRegistry.chain(stream, specs);
            } catch (TransformException e) {
                throw new RunFileException(file, node.line(), stream + ": " + e.getMessage());
            }
        }
        return specs;
    }

    private TransformSpec spec(Node node) {
        if (!(node instanceof Node.Mapping mapping)) {
            throw fault(
                    node.line(),
                    "a transform is "
                            + node.describe()
                            + "; it must be a kind with its parameters, such as clip: {columns: [x],"
                            + " low: 0}");
        }
        String name = null;
        String kind = null;
        Node parameters = null;
        for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
            Node value = entry.getValue().value();
            if (entry.getKey().equals(NAME) && value instanceof Node.Scalar scalar) {
                name = scalar.text();
            } else if (kind != null) {
                throw fault(
                        entry.getValue().line(),
                        "a transform has the kinds '"
                                + kind
                                + "' and '"
                                + entry.getKey()
                                + "'; write each as an item of its own, with a '-'");
            } else {
                kind = entry.getKey();
                parameters = value;
            }
        }
        if (kind == null) {
            throw fault(node.line(), "a transform names no kind");
        }
        return new TransformSpec(name == null ? kind : name, kind, json(parameters).toString());
    }

    private RunFileException fault(int line, String message) {
        return new RunFileException(file, line, stream + ": " + message);
    }

    /** Converts a node as the core schema of YAML reads it. */
    private static JsonNode json(Node node) {
        if (node instanceof Node.Mapping mapping) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            mapping.entries().forEach((key, entry) -> object.set(key, json(entry.value())));
            return object;
        }
        if (node instanceof Node.Sequence sequence) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            sequence.items().forEach(item -> array.add(json(item)));
            return array;
        }
        Node.Scalar scalar = (Node.Scalar) node;
        if (scalar.absent()) {
            return NullNode.getInstance();
        }
        return scalar.isText() ? TextNode.valueOf(scalar.text()) : plain(scalar.text());
    }

    private static JsonNode plain(String text) {
        if (text.equals("true") || text.equals("false")) {
            return BooleanNode.valueOf(text.equals("true"));
        }
        try {
            return LongNode.valueOf(Long.parseLong(text));
        } catch (NumberFormatException notWhole) {
            try {
                return DoubleNode.valueOf(Double.parseDouble(text));
            } catch (NumberFormatException notANumber) {
                return TextNode.valueOf(text);
            }
        }
    }
}
