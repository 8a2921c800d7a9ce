package io.lockstep.expression;

import java.util.List;

/**
 * The type in which numbers are computed. Columns decide; a constant takes their type, as Python's
 * numbers do in NumPy, unless it is a fraction among integers or beyond the range of float32.
 */
final class NumberTypes {

    private NumberTypes() {}

    /** Returns the type that nodes of numbers are converted to. */
    static Type common(List<Node> nodes) {
        List<Node> columns = nodes.stream().filter(node -> !node.isConstant()).toList();
        Type common = null;
        for (Node node : columns.isEmpty() ? nodes : columns) {
            common = common == null ? node.type() : common(common, node.type());
        }
        for (Node node : nodes) {
            if (node instanceof ConstantNode constant && !columns.isEmpty()) {
                common = with(common, constant);
            }
        }
        return common;
    }

    private static Type common(Type one, Type other) {
        if (one.equals(other)) {
            return one;
        }
        return one.isInteger() && other.isInteger() ? Type.INTEGER : Type.DOUBLE;
    }

    private static Type with(Type common, ConstantNode constant) {
        if (common.isInteger()) {
            boolean negative =
                    constant.type().is(Type.Kind.INTEGER) && constant.constant().bits() < 0;
            return constant.type().isFloating() ? Type.DOUBLE : negative ? Type.INTEGER : common;
        }
        return isFloat(constant) ? common : Type.DOUBLE;
    }

    /** Whether a constant is in the range of float32. */
    static boolean isFloat(ConstantNode constant) {
        double value = constant.constant().number();
        return Float.isFinite((float) value) || !Double.isFinite(value);
    }
}
