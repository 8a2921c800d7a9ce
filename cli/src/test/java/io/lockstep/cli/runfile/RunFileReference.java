package io.lockstep.cli.runfile;

/** The run file's part of the reference, generated from the model that parses it. */
public final class RunFileReference {

    private RunFileReference() {}

    /** One table per section, with its keys. */
    public static String markdown() {
        StringBuilder text = new StringBuilder();
        append(text, "", Schema.ROOT);
        return text.toString();
    }

    private static void append(StringBuilder text, String path, Section section) {
        if (!section.keys().isEmpty()) {
            text.append("### `").append(path).append("`\n\n");
            text.append("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
            for (Key<?> key : section.keys()) {
                text.append(
                        String.format(
                                "| `%s` | %s | %s | %s |%n",
                                key.name(), key.type().words(), key.absent(), key.meaning()));
            }
            text.append('\n');
        }
        for (Section inner : section.sections()) {
            append(text, path.isEmpty() ? inner.name() : path + "." + inner.name(), inner);
        }
    }
}
