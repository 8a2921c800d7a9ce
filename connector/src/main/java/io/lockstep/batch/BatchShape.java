package io.lockstep.batch;

import io.lockstep.UserException;
import io.lockstep.batch.Node.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BufferLayout;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The nodes of a schema in the order of an Arrow record batch: each column, followed by its
 * elements.
 */
final class BatchShape {

    private final Schema schema;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> columns = new ArrayList<>();
    private final List<Node> variable = new ArrayList<>();
    private final int buffers;

    private BatchShape(Schema schema) {
        this.schema = schema;
        int next = 0;
        for (Field field : schema.getFields()) {
            int column = nodes.size();
            next = add(field, field.getName(), next);
            columns.add(nodes.get(column));
        }
        this.buffers = next;
    }

    /**
     * @throws UserException if a column has a type that a batch cannot hold
     */
    static BatchShape of(Schema schema) {
        return new BatchShape(schema);
    }

    Schema schema() {
        return schema;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Returns the nodes that are columns, not elements. */
    List<Node> columns() {
        return columns;
    }

    /** Returns the nodes with variable-size values. */
    List<Node> variable() {
        return variable;
    }

    /** Returns the number of buffers of all nodes. */
    int buffers() {
        return buffers;
    }

    private int add(Field field, String path, int buffer) {
        if (field.getDictionary() != null) {
            throw refused(path, "a dictionary-encoded type");
        }
        ArrowType type = field.getType();
        Kind kind = kind(type, path);
        int listSize = type instanceof ArrowType.FixedSizeList list ? list.getListSize() : 0;
        Node node =
                new Node(
                        nodes.size(),
                        kind,
                        path,
                        kind == Kind.FIXED ? bits(type) / Byte.SIZE : 0,
                        listSize,
                        buffer);
        nodes.add(node);
        if (kind == Kind.VARIABLE) {
            variable.add(node);
        }
        int next = buffer + kind.buffers;
        return node.hasElements() ? add(field.getChildren().get(0), path + "[]", next) : next;
    }

    private static Kind kind(ArrowType type, String path) {
        return switch (type.getTypeID()) {
            case Bool -> Kind.BITS;
            case Int,
                    FloatingPoint,
                    Decimal,
                    Date,
                    Time,
                    Timestamp,
                    Duration,
                    Interval,
                    FixedSizeBinary ->
                    Kind.FIXED;
            case Utf8, Binary -> Kind.VARIABLE;
            case List -> Kind.LIST;
            case FixedSizeList -> Kind.FIXED_LIST;
            default -> throw refused(path, "type " + type);
        };
    }

    /** Returns the bit width of a value in the type's second and last buffer. */
    private static int bits(ArrowType type) {
        List<BufferLayout> layouts = TypeLayout.getTypeLayout(type).getBufferLayouts();
        return layouts.get(layouts.size() - 1).getTypeBitWidth();
    }

    private static UserException refused(String path, String what) {
        return new UserException(
                "Column \""
                        + path
                        + "\" has "
                        + what
                        + ", which a batch cannot hold; leave the column out.");
    }
}
