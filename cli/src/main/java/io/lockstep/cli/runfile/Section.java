package io.lockstep.cli.runfile;

import java.util.ArrayList;
import java.util.List;

/**
 * A group of keys of the run file.
 *
 * @param name as written in the file
 * @param keys the keys with values
 * @param sections nested groups
 */
record Section(String name, List<Key<?>> keys, List<Section> sections) {

    /** The names of all keys and sections. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        keys.forEach(key -> names.add(key.name()));
        sections.forEach(section -> names.add(section.name()));
        return names;
    }
}
