package io.lockstep.cli.runfile;

import io.lockstep.Nearest;
import java.util.Collection;
import org.apache.flink.annotation.Internal;

/** The end of a message about an unknown name. */
@Internal
public final class Hint {

    private static final int MAX = 12;

    private Hint() {}

    /**
     * Suggests the closest known name, or lists the known names if none is close and they are few.
     */
    public static String of(String wrong, Collection<String> right) {
        String nearest = Nearest.of(wrong.replace('_', '-'), right);
        if (nearest != null) {
            return "; did you mean '" + nearest + "'?";
        }
        return right.isEmpty() || right.size() > MAX
                ? ""
                : "; there are: " + String.join(", ", right);
    }
}
