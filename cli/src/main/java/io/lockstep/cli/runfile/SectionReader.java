package io.lockstep.cli.runfile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one group of keys of a run file; every error is one line with its location. */
final class SectionReader {

    private static final Node.Mapping NOTHING = new Node.Mapping(1, Map.of());

    private final String file;
    private final String path;
    private final Node.Mapping mapping;
    private final int line;

    private SectionReader(String file, String path, Node.Mapping mapping, int line) {
        this.file = file;
        this.path = path;
        this.mapping = mapping;
        this.line = line;
    }

    /** Reads the whole file and checks its keys against the section. */
    static SectionReader root(String file, Node document, Section section) {
        SectionReader reader = of(file, "", document, 1);
        reader.checkKeys(section);
        return reader;
    }

    /** An error about the whole group. */
    RunFileException fault(String message) {
        return new RunFileException(file, line, message);
    }

    /** An error about the value of a key that is there. */
    RunFileException fault(Key<?> key, String message) {
        return fault(key.name(), message);
    }

    /** An error about a key or group that is there. */
    RunFileException fault(String key, String message) {
        int at = mapping.entries().get(key).line();
        return new RunFileException(file, at, inner(key) + ": " + message);
    }

    boolean has(Key<?> key) {
        return has(key.name());
    }

    /** Whether a key or a group is there. */
    boolean has(String key) {
        return mapping.entries().containsKey(key);
    }

    /** The value of a key, or its default if it is missing. */
    <T> T get(Key<T> key, T absent) {
        Node.Entry entry = mapping.entries().get(key.name());
        if (entry == null) {
            return absent;
        }
        try {
            return key.type().reader().apply(entry.value());
        } catch (IllegalArgumentException e) {
            throw new RunFileException(
                    file,
                    entry.line(),
                    inner(key.name())
                            + " is "
                            + entry.value().describe()
                            + "; it must be "
                            + key.type().words());
        }
    }

    /** The value of a required key. */
    <T> T require(Key<T> key) {
        T value = get(key, null);
        if (value == null) {
            throw fault(
                    (path.isEmpty() ? "the file" : path)
                            + " needs the key '"
                            + key.name()
                            + "': "
                            + key.type().words());
        }
        return value;
    }

    /** A nested group; empty if it is missing. */
    SectionReader section(Section section) {
        Node.Entry entry = mapping.entries().get(section.name());
        SectionReader reader =
                entry == null
                        ? new SectionReader(file, inner(section.name()), NOTHING, line)
                        : of(file, inner(section.name()), entry.value(), entry.line());
        reader.checkKeys(section);
        return reader;
    }

    /** The nested groups with names chosen by the user, in the order of the file. */
    Map<String, SectionReader> named(Section outer, Section each) {
        Node.Entry entry = mapping.entries().get(outer.name());
        if (entry == null) {
            throw fault("the file needs the key '" + outer.name() + "'");
        }
        SectionReader group = of(file, inner(outer.name()), entry.value(), entry.line());
        Map<String, SectionReader> readers = new LinkedHashMap<>();
        group.mapping
                .entries()
                .forEach(
                        (name, inner) -> {
                            SectionReader reader =
                                    of(file, group.inner(name), inner.value(), inner.line());
                            reader.checkKeys(each);
                            readers.put(name, reader);
                        });
        if (readers.isEmpty()) {
            throw group.fault(group.path + " names no stream");
        }
        return readers;
    }

    private static SectionReader of(String file, String path, Node node, int line) {
        if (node instanceof Node.Mapping mapping) {
            return new SectionReader(file, path, mapping, line);
        }
        throw new RunFileException(
                file,
                line,
                (path.isEmpty() ? "the file" : path)
                        + " is "
                        + node.describe()
                        + "; it must be a group of keys");
    }

    private void checkKeys(Section section) {
        List<String> names = section.names();
        mapping.entries()
                .forEach(
                        (name, entry) -> {
                            if (!names.contains(name)) {
                                throw new RunFileException(
                                        file,
                                        entry.line(),
                                        "unknown key '"
                                                + name
                                                + "'"
                                                + (path.isEmpty() ? "" : " in " + path)
                                                + Schema.place(name)
                                                        .map(place -> "; it belongs to " + place)
                                                        .orElseGet(() -> Hint.of(name, names)));
                            }
                        });
    }

    private String inner(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
