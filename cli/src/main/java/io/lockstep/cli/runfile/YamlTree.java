package io.lockstep.cli.runfile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses a YAML file into nodes with line numbers. */
final class YamlTree {

    private final String file;
    private final YAMLParser parser;

    private YamlTree(String file, YAMLParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Parses a text with a single document.
     *
     * @param file its name in messages
     * @throws RunFileException if it is empty or not YAML
     */
    static Node parse(String file, String text) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            return new YamlTree(file, parser).document();
        } catch (JacksonException e) {
            YamlFault fault = YamlFault.of(e, text);
            throw new RunFileException(file, fault.line(), "this is not YAML: " + fault.sentence());
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot be read", e);
        }
    }

    private Node document() throws IOException {
        if (parser.nextToken() == null) {
            throw new RunFileException(file, 1, "the file is empty; it needs at least 'streams'");
        }
        Node node = node();
        if (parser.nextToken() != null) {
            throw new RunFileException(
                    file, line(), "a second YAML document begins; a run file has one");
        }
        return node;
    }

    /**
     * Reads the node that starts at the current token; leaves the parser on the node's last token.
     */
    private Node node() throws IOException {
        if (parser.isCurrentAlias()) {
            throw new RunFileException(
                    file,
                    line(),
                    "aliases ('*name') are not supported; write the value out, and put a glob in"
                            + " quotes");
        }
        JsonToken token = parser.currentToken();
        int line = line();
        if (token == JsonToken.START_OBJECT) {
            return mapping(line);
        }
        if (token == JsonToken.START_ARRAY) {
            List<Node> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(node());
            }
            return new Node.Sequence(line, items);
        }
        boolean isText = token == JsonToken.VALUE_STRING;
        return new Node.Scalar(line, parser.getText(), token == JsonToken.VALUE_NULL, isText);
    }

    private Node mapping(int line) throws IOException {
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            Node.Entry former = entries.put(key, new Node.Entry(keyLine, node()));
            if (former != null) {
                throw new RunFileException(
                        file,
                        keyLine,
                        "the key '" + key + "' stands in line " + former.line() + " already");
            }
        }
        return new Node.Mapping(line, entries);
    }

    private int line() {
        return line(parser.currentTokenLocation());
    }

    private static int line(JsonLocation location) {
        return location == null ? 1 : Math.max(1, location.getLineNr());
    }
}
