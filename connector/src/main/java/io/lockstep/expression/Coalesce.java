package io.lockstep.expression;

import java.util.List;
import javax.annotation.Nullable;

/** The first value that is not null, of values of one type. */
record Coalesce(Type type, List<Node> values) implements Node {

    @Override
    public boolean isConstant() {
        return values.stream().allMatch(Node::isConstant);
    }

    @Override
    public boolean isNullable() {
        return values.stream().allMatch(Node::isNullable);
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        int size = chunk.size();
        Values first = values.get(0).evaluate(chunk, needed);
        for (Node value : values.subList(1, values.size())) {
            if (first.nulls() == null) {
                return first;
            }
            boolean[] open = new boolean[size];
            for (int i = 0; i < size; i++) {
                open[i] = first.nulls()[i] && (needed == null || needed[i]);
            }
            first = merge(first, value.evaluate(chunk, open), size);
        }
        return first;
    }

    private Values merge(Values first, Values second, int size) {
        boolean[] nulls = new boolean[size];
        for (int i = 0; i < size; i++) {
            nulls[i] = first.nulls()[i] && second.isNull(i);
        }
        return switch (type.kind()) {
            case BOOLEAN -> Values.ofBooleans(booleans(first, second, size), nulls);
            case FLOAT, DOUBLE -> Values.ofDoubles(doubles(first, second, size), nulls);
            case STRING -> {
                int[] lengths = new int[size];
                for (int i = 0; i < size; i++) {
                    lengths[i] = (first.nulls()[i] ? second : first).lengths()[i];
                }
                yield Values.ofStrings(longs(first, second, size), lengths, nulls);
            }
            default -> Values.ofLongs(longs(first, second, size), nulls);
        };
    }

    private static boolean[] booleans(Values first, Values second, int size) {
        boolean[] merged = new boolean[size];
        for (int i = 0; i < size; i++) {
            merged[i] = first.nulls()[i] ? second.booleans()[i] : first.booleans()[i];
        }
        return merged;
    }

    private static double[] doubles(Values first, Values second, int size) {
        double[] merged = new double[size];
        for (int i = 0; i < size; i++) {
            merged[i] = first.nulls()[i] ? second.doubles()[i] : first.doubles()[i];
        }
        return merged;
    }

    private static long[] longs(Values first, Values second, int size) {
        long[] merged = new long[size];
        for (int i = 0; i < size; i++) {
            merged[i] = first.nulls()[i] ? second.longs()[i] : first.longs()[i];
        }
        return merged;
    }
}
