package io.lockstep.transform.python;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * What a worker reports of a function that cannot be used, or failed.
 *
 * @param message a clause whose subject is the function
 * @param lines its traceback, innermost frame last
 * @param row of the rows of the call, the first that it fails for; null if it is not known
 */
record FunctionFault(String message, List<String> lines, @Nullable Integer row) {

    static FunctionFault of(JsonNode node) {
        List<String> lines = new ArrayList<>();
        node.path("lines").forEach(line -> lines.add(line.asText()));
        JsonNode row = node.path("row");
        return new FunctionFault(
                node.path("message").asText(), lines, row.isInt() ? row.intValue() : null);
    }
}
