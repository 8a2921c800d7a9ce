package io.lockstep.footer;

import java.nio.ByteBuffer;

/**
 * A schema as it is written in a footer.
 *
 * @param elements the serialised schema elements
 * @param arrow the value of the key {@code ARROW:schema}, empty where there is none
 */
public record SchemaText(ByteBuffer elements, String arrow) {}
