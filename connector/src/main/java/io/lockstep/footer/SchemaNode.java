package io.lockstep.footer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;

/**
 * A node of a Parquet schema. A footer lists the nodes depth first.
 *
 * @param element the node itself
 * @param logical the logical type; null if not specified
 * @param children the child nodes; empty for a leaf
 */
record SchemaNode(SchemaElement element, @Nullable LogicalType logical, List<SchemaNode> children) {

    private static final int MAX_DEPTH = 1000;

    /**
     * @throws IOException if the elements do not form a tree
     */
    static SchemaNode root(List<SchemaElement> elements) throws IOException {
        Iterator<SchemaElement> rest = elements.iterator();
        SchemaNode root = next(rest, 0);
        if (rest.hasNext()) {
            throw new IOException("its schema has elements that belong nowhere");
        }
        return root;
    }

    private static SchemaNode next(Iterator<SchemaElement> rest, int depth) throws IOException {
        if (!rest.hasNext() || depth > MAX_DEPTH) {
            throw new IOException("its schema lacks elements, or is too deep");
        }
        SchemaElement element = rest.next();
        List<SchemaNode> children = new ArrayList<>();
        for (int i = 0; i < element.getNum_children(); i++) {
            children.add(next(rest, depth + 1));
        }
        return new SchemaNode(element, LogicalTypes.of(element), children);
    }

    String name() {
        return element.getName();
    }

    boolean isLeaf() {
        return element.isSetType();
    }

    boolean isOptional() {
        return element.getRepetition_type() == FieldRepetitionType.OPTIONAL;
    }

    boolean isRepeated() {
        return element.getRepetition_type() == FieldRepetitionType.REPEATED;
    }

    boolean isList() {
        return logical != null && logical.isSetLIST();
    }

    boolean isMap() {
        return logical != null && logical.isSetMAP();
    }

    /** Returns the number of leaf columns below this node. */
    int leaves() {
        return isLeaf() ? 1 : children.stream().mapToInt(SchemaNode::leaves).sum();
    }
}
