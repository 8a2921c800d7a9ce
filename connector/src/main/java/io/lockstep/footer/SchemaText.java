package io.lockstep.footer;

import java.util.List;
import org.apache.parquet.format.SchemaElement;

/**
 * A schema as stored in a footer.
 *
 * @param elements the nodes, depth first
 * @param arrow the value of the key {@code ARROW:schema}, empty if absent
 */
public record SchemaText(List<SchemaElement> elements, String arrow) {}
