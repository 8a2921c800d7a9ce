package io.lockstep.expression;

import java.util.Arrays;
import java.util.List;

/** Sorts the values of lists for {@link Membership}. */
final class SortedLists {

    private SortedLists() {}

    /**
     * @param type of the values that are looked up
     * @param constants of this type, or integers with another sign, which equal none of it from
     *     2^63 on
     */
    static Membership.Sorted of(Type type, List<Constant> constants) {
        return switch (type.kind()) {
            case FLOAT, DOUBLE ->
                    new Membership.Sorted(
                            null,
                            constants.stream()
                                    .mapToDouble(constant -> constant.number() + 0.0)
                                    .sorted()
                                    .toArray(),
                            null);
            case STRING ->
                    new Membership.Sorted(
                            null,
                            null,
                            constants.stream()
                                    .map(Constant::utf8)
                                    .sorted(Arrays::compareUnsigned)
                                    .toArray(byte[][]::new));
            default ->
                    new Membership.Sorted(
                            constants.stream()
                                    .filter(
                                            constant ->
                                                    constant.type().equals(type)
                                                            || constant.bits() >= 0)
                                    .mapToLong(Constant::bits)
                                    .sorted()
                                    .toArray(),
                            null,
                            null);
        };
    }
}
