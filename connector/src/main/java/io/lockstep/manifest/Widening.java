package io.lockstep.manifest;

import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The types that hold all values of another type exactly. */
final class Widening {

    private Widening() {}

    /** Returns the one of two types that holds the values of both; null if neither does. */
    @Nullable
    static ArrowType common(ArrowType one, ArrowType other) {
        if (holds(one, other)) {
            return one;
        }
        return holds(other, one) ? other : null;
    }

    private static boolean holds(ArrowType wide, ArrowType narrow) {
        if (wide instanceof ArrowType.Int to && narrow instanceof ArrowType.Int from) {
            return to.getIsSigned() == from.getIsSigned()
                    ? to.getBitWidth() >= from.getBitWidth()
                    : to.getIsSigned() && to.getBitWidth() > from.getBitWidth();
        }
        if (wide instanceof ArrowType.FloatingPoint to
                && narrow instanceof ArrowType.FloatingPoint from) {
            return to.getPrecision() == FloatingPointPrecision.DOUBLE
                    && from.getPrecision() == FloatingPointPrecision.SINGLE;
        }
        // A value that a finer unit cannot hold is refused when it is read.
        return wide instanceof ArrowType.Timestamp to
                && narrow instanceof ArrowType.Timestamp from
                && Objects.equals(to.getTimezone(), from.getTimezone())
                && to.getUnit().compareTo(from.getUnit()) >= 0;
    }
}
