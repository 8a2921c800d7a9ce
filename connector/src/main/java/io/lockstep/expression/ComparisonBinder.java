package io.lockstep.expression;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.Schema;

/** Finds the types in which values are compared or put together. */
final class ComparisonBinder {

    private final Schema schema;

    ComparisonBinder(Schema schema) {
        this.schema = schema;
    }

    /** An operand, with its text for messages. */
    record Operand(Syntax syntax, Node node) {

        Type type() {
            return node.type();
        }

        boolean isNull() {
            return type().is(Type.Kind.NULL);
        }

        private Operand converted(Type type) {
            return new Operand(syntax, Folding.convert(type, syntax.at(), node));
        }
    }

    /**
     * Compares two operands.
     *
     * @throws Problem if their types cannot be compared
     */
    Node compare(int at, Comparator comparator, Operand left, Operand right) {
        List<Operand> operands = unified(at, List.of(left, right), "be compared to");
        if (left.isNull() || right.isNull()) {
            throw new Problem(
                    at, "a comparison with null is never true; write 'is null' or 'is not null'");
        }
        Operand a = operands.get(0);
        Operand b = operands.get(1);
        if (a.type().is(Type.Kind.BOOLEAN) && !comparator.isEquality()) {
            throw new Problem(at, "true and false have no order; compare them by = or <>");
        }
        return Comparison.of(comparator, a.node(), b.node());
    }

    /** Converts operands to one type; integers with and without a sign stay as they are. */
    private List<Operand> unified(int at, List<Operand> operands, String verb) {
        List<Operand> values = withTimes(operands.stream().filter(o -> !o.isNull()).toList());
        for (Operand value : values.subList(Math.min(1, values.size()), values.size())) {
            if (!isAlike(values.get(0).type(), value.type())) {
                throw new Problem(at, noun(values.get(0)) + " cannot " + verb + " " + noun(value));
            }
        }
        if (values.isEmpty() || values.stream().allMatch(value -> value.type().isInteger())) {
            return values;
        }
        Type type = values.get(0).type();
        if (type.isNumber()) {
            type = NumberTypes.common(values.stream().map(Operand::node).toList());
        } else if (type.isTime()) {
            type = time(at, values);
        }
        Type common = type;
        return values.stream().map(value -> value.converted(common)).toList();
    }

    private static boolean isAlike(Type one, Type other) {
        if (one.is(Type.Kind.OTHER)) {
            return false;
        }
        return one.kind() == other.kind()
                || (one.isNumber() && other.isNumber())
                || (one.isTime() && other.isTime());
    }

    private String noun(Operand operand) {
        return Nouns.of(operand.syntax(), operand.node(), schema);
    }

    /** Reads literal strings as times if there is another time among the operands. */
    private static List<Operand> withTimes(List<Operand> operands) {
        if (operands.stream().noneMatch(operand -> operand.type().isTime())) {
            return operands;
        }
        return operands.stream()
                .map(
                        operand ->
                                operand.type().is(Type.Kind.STRING)
                                                && operand.node() instanceof ConstantNode constant
                                        ? new Operand(operand.syntax(), time(operand, constant))
                                        : operand)
                .toList();
    }

    private static Node time(Operand operand, ConstantNode constant) {
        return new ConstantNode(Literals.time(operand.syntax().at(), constant.constant().string()));
    }

    /** The type of dates, or timestamps of the finest unit. */
    private Type time(int at, List<Operand> values) {
        if (values.stream().allMatch(value -> value.type().is(Type.Kind.DATE))) {
            return Type.DATE;
        }
        TimeUnit unit = TimeUnit.SECOND;
        Operand zoned = null;
        Operand local = null;
        for (Operand value : values) {
            if (value.type().is(Type.Kind.TIMESTAMP)) {
                unit = Times.finer(unit, value.type().unit());
                zoned = value.type().zoned() ? value : zoned;
                boolean inUtc = value.node().isConstant();
                local = value.type().zoned() || inUtc ? local : value;
            }
        }
        if (zoned != null && local != null) {
            throw new Problem(
                    at,
                    noun(local)
                            + " has no time zone and cannot be compared to "
                            + noun(zoned)
                            + ", which has one");
        }
        return Type.timestamp(unit, zoned != null);
    }

    /** The first of some values that is not null. */
    Node coalesce(int at, List<Operand> operands) {
        List<Operand> values = unified(at, operands, "stand in a 'coalesce' with");
        if (values.isEmpty()) {
            throw new Problem(at, "a 'coalesce' of nulls is null for every row");
        }
        Operand first = values.get(0);
        if (first.type().is(Type.Kind.OTHER)) {
            throw new Problem(at, noun(first) + " cannot stand in a 'coalesce'");
        }
        Type type =
                first.type().isInteger()
                        ? NumberTypes.common(values.stream().map(Operand::node).toList())
                        : first.type();
        return new Coalesce(
                type, values.stream().map(value -> value.converted(type).node()).toList());
    }

    /**
     * Looks a value up in a list.
     *
     * @throws Problem if the list has null, or a value that the operand cannot be compared to
     */
    Node membership(Syntax.Membership syntax, Operand operand) {
        List<Operand> all = new ArrayList<>(List.of(operand));
        for (Syntax.Literal literal : syntax.values()) {
            if (literal.value().isNull()) {
                throw new Problem(
                        literal.at(), "null in a list equals nothing; write 'or … is null'");
            }
            all.add(new Operand(literal, new ConstantNode(literal.value())));
        }
        if (operand.isNull()) {
            throw new Problem(syntax.at(), "null is in no list; write 'is null'");
        }
        if (!operand.type().isInteger()) {
            return membership(syntax.at(), inRange(all));
        }
        // Integers are compared exactly, those with fractions as doubles.
        List<Operand> integers = new ArrayList<>(all);
        integers.removeIf(value -> value.type().isFloating());
        List<Operand> fractions = new ArrayList<>(all);
        fractions.removeIf(value -> value != operand && value.type().isInteger());
        Node found = membership(syntax.at(), integers);
        return fractions.size() == 1
                ? found
                : new Junction(false, List.of(found, membership(syntax.at(), fractions)));
    }

    private Node membership(int at, List<Operand> all) {
        List<Operand> values = unified(at, all, "be compared to");
        List<Constant> constants =
                values.stream()
                        .skip(1)
                        .map(value -> ((ConstantNode) value.node()).constant())
                        .toList();
        return new Membership(
                values.get(0).node(), SortedLists.of(values.get(0).type(), constants));
    }

    /** Leaves out numbers beyond the range of float32 beside such a column, which equal none. */
    private static List<Operand> inRange(List<Operand> all) {
        if (!all.get(0).type().is(Type.Kind.FLOAT)) {
            return all;
        }
        return all.stream()
                .filter(
                        value ->
                                !(value.node() instanceof ConstantNode constant)
                                        || NumberTypes.isFloat(constant))
                .toList();
    }
}
