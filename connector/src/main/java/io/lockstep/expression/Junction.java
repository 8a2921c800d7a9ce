package io.lockstep.expression;

import java.util.List;
import javax.annotation.Nullable;

/**
 * Conditions joined by {@code and} or by {@code or}, with three-valued logic. A condition matters
 * only for the rows that those before it do not decide.
 */
record Junction(boolean and, List<Node> conditions) implements Node {

    @Override
    public Type type() {
        return Type.BOOLEAN;
    }

    @Override
    public boolean isNullable() {
        return conditions.stream().anyMatch(Node::isNullable);
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        int size = chunk.size();
        boolean[] open = new boolean[size];
        for (int i = 0; i < size; i++) {
            open[i] = needed == null || needed[i];
        }
        boolean[] result = new boolean[size];
        boolean[] nulls = new boolean[size];
        for (int i = 0; i < size; i++) {
            result[i] = and;
        }
        for (Node condition : conditions) {
            Values values = condition.evaluate(chunk, open.clone());
            for (int i = 0; i < size; i++) {
                boolean isNull = values.isNull(i);
                boolean decides = open[i] && !isNull && values.booleans()[i] != and;
                nulls[i] = !decides && (nulls[i] | (open[i] && isNull));
                result[i] ^= decides;
                open[i] &= !decides;
            }
        }
        return Values.ofBooleans(result, nulls);
    }
}
