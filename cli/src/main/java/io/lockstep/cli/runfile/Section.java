package io.lockstep.cli.runfile;

import java.util.ArrayList;
import java.util.List;

/**
 * A group of keys of the run file.
 *
 * @param name as it is written
 * @param keys the keys with values
 * @param sections the groups within it
 */
record Section(String name, List<Key<?>> keys, List<Section> sections) {

    /** All names that may stand in it. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        keys.forEach(key -> names.add(key.name()));
        sections.forEach(section -> names.add(section.name()));
        return names;
    }
}
