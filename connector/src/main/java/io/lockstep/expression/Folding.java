package io.lockstep.expression;

import java.util.List;

/** Computes numbers and times that use no column once, when an expression is bound. */
final class Folding {

    private Folding() {}

    /**
     * Returns a constant for a node that uses no column, else the node.
     *
     * @throws Problem if the value cannot be computed
     */
    static Node fold(Node node) {
        boolean folds = node.type().isNumber() || node.type().isTime();
        if (!folds || !node.isConstant() || node instanceof ConstantNode) {
            return node;
        }
        try (Evaluation evaluation = new Evaluation(List.of(), null)) {
            Values values = node.evaluate(new Chunk(evaluation, 0, 1), null);
            if (values.isNull(0)) {
                return ConstantNode.ofNull(node.type());
            }
            if (node.type().isFloating()) {
                double value = values.doubles()[0];
                return new ConstantNode(Constant.of(node.type(), String.valueOf(value), value));
            }
            long value = values.longs()[0];
            return new ConstantNode(Constant.of(node.type(), String.valueOf(value), value));
        }
    }

    /** Returns a node with values of another type, computed now if it is a constant. */
    static Node convert(Type type, int at, Node node) {
        return fold(Conversion.to(type, at, node));
    }
}
