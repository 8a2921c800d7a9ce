package io.lockstep.cli.runfile;

import java.util.List;
import java.util.Map;

/** A piece of YAML that knows the line it stands on, counted from 1. */
sealed interface Node {

    int line();

    /** What it is, in words for a message. */
    String describe();

    /**
     * A single value.
     *
     * @param text as written, without quotes
     * @param absent nothing is written after the key, or {@code null}
     */
    record Scalar(int line, String text, boolean absent) implements Node {

        @Override
        public String describe() {
            return absent ? "nothing" : "'" + text + "'";
        }
    }

    /** A list. */
    record Sequence(int line, List<Node> items) implements Node {

        @Override
        public String describe() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** Keys with values, in the order of the file. */
    record Mapping(int line, Map<String, Entry> entries) implements Node {

        @Override
        public String describe() {
            return "a group of keys";
        }
    }

    /**
     * The value of a key.
     *
     * @param line where the key stands
     */
    record Entry(int line, Node value) {}
}
