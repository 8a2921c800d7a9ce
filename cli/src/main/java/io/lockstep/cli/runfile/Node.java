package io.lockstep.cli.runfile;

import java.util.List;
import java.util.Map;

/** A YAML node with its line number, starting at 1. */
sealed interface Node {

    int line();

    /** The kind of node, as text for messages. */
    String describe();

    /**
     * A scalar.
     *
     * @param text as written, without quotes
     * @param absent whether the value is missing or {@code null}
     * @param isText whether YAML reads it as a text, and not as a number, boolean or null
     */
    record Scalar(int line, String text, boolean absent, boolean isText) implements Node {

        @Override
        public String describe() {
            return absent ? "nothing" : "'" + text + "'";
        }
    }

    /** A sequence. */
    record Sequence(int line, List<Node> items) implements Node {

        @Override
        public String describe() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** A mapping, in the order of the file. */
    record Mapping(int line, Map<String, Entry> entries) implements Node {

        @Override
        public String describe() {
            return "a group of keys";
        }
    }

    /**
     * The value of a key.
     *
     * @param line the line of the key
     */
    record Entry(int line, Node value) {}
}
