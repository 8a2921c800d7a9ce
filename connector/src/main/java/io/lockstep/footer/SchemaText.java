package io.lockstep.footer;

import java.util.List;
import org.apache.parquet.format.SchemaElement;

/**
 * A schema as it is written in a footer.
 *
 * @param elements its nodes, depth first
 * @param arrow the value of the key {@code ARROW:schema}, empty where there is none
 */
public record SchemaText(List<SchemaElement> elements, String arrow) {}
