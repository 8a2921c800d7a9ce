package io.lockstep.cli.runfile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.Mark;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * A YAML syntax error.
 *
 * @param line in the text, starting at 1
 * @param sentence the parser's message, on one line
 */
record YamlFault(int line, String sentence) {

    private static final String STAR =
            "a value that begins with '*' is an alias; put a glob in quotes, such as '*.parquet'";

    static YamlFault of(JacksonException e, String text) {
        if (e instanceof MarkedYAMLException marked) {
            return of(marked, text);
        }
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t') {
                String name = String.format("U+%04X", (int) c);
                return new YamlFault(lineAt(text, at), "it holds the control character " + name);
            }
        }
        if (e instanceof StreamConstraintsException) {
            return new YamlFault(1, "it is nested too deeply");
        }
        String message = e.getOriginalMessage();
        return new YamlFault(1, message.lines().findFirst().orElse("it cannot be parsed"));
    }

    /**
     * The parser reports where it stopped and where the construct that it was reading began. At the
     * end of the text only the latter helps: it is the construct that was never closed.
     */
    private static YamlFault of(MarkedYAMLException e, String text) {
        int last = Math.max(1, (int) text.lines().count());
        int line = Math.min(line(e.getProblemMark()), last);
        if (e.getContext() != null && e.getContext().contains("alias")) {
            return new YamlFault(line, STAR);
        }
        String sentence = problem(e.getProblem());
        Mark begin = e.getContextMark();
        boolean atEnd = line(e.getProblemMark()) > last || sentence.contains("end of stream");
        if (begin == null || line(begin) >= line) {
            return new YamlFault(line, sentence);
        }
        if (atEnd) {
            return new YamlFault(line(begin), sentence + " " + e.getContext());
        }
        return new YamlFault(
                line, sentence + " " + e.getContext() + " that begins in line " + line(begin));
    }

    /** The parser's hint about indentation applies to tabs only. */
    private static String problem(String problem) {
        return problem.contains("\\t(TAB)")
                ? "found a tab in the indentation; use spaces"
                : problem.replaceFirst(" \\(Do not use .*", "");
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    private static int lineAt(String text, int at) {
        return 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }
}
