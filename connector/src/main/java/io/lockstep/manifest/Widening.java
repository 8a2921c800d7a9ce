package io.lockstep.manifest;

import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The types that hold all values of another type exactly. */
final class Widening {

    private Widening() {}

    /**
     * Returns a field of the type that holds the values of both, with the name of the first; null
     * if neither type does. Lists widen by their elements.
     */
    @Nullable
    static Field common(Field one, Field other) {
        boolean nullable = one.isNullable() || other.isNullable();
        if (one.getChildren().isEmpty() && other.getChildren().isEmpty()) {
            ArrowType wide = common(one.getType(), other.getType());
            return wide == null ? null : field(one, nullable, wide, List.of());
        }
        if (!one.getType().equals(other.getType())
                || one.getChildren().size() != 1
                || other.getChildren().size() != 1) {
            return null;
        }
        Field elements = common(one.getChildren().get(0), other.getChildren().get(0));
        return elements == null ? null : field(one, nullable, one.getType(), List.of(elements));
    }

    private static Field field(
            Field named, boolean nullable, ArrowType type, List<Field> children) {
        return new Field(named.getName(), new FieldType(nullable, type, null), children);
    }

    @Nullable
    private static ArrowType common(ArrowType one, ArrowType other) {
        if (holds(one, other)) {
            return one;
        }
        return holds(other, one) ? other : null;
    }

    private static boolean holds(ArrowType wide, ArrowType narrow) {
        if (wide.equals(narrow)) {
            return true;
        }
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
