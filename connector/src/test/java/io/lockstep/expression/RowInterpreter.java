package io.lockstep.expression;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Evaluates expressions of numbers, strings and booleans row by row, as documented, with objects
 * and exact integers. Shares nothing with the evaluation of columns but the parser.
 */
final class RowInterpreter {

    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    /** The types of numbers; other values have no type here. */
    private enum Number {
        INTEGER,
        UNSIGNED,
        FLOAT,
        DOUBLE
    }

    private final Map<String, Type> columns;

    RowInterpreter(Map<String, Type> columns) {
        this.columns = columns;
    }

    /** Returns a Boolean, BigInteger, Float, Double, String or null. */
    Object value(Syntax syntax, Map<String, Object> row) {
        if (syntax instanceof Syntax.Column column) {
            return row.get(column.name());
        }
        if (syntax instanceof Syntax.Literal literal) {
            return literal(literal.value());
        }
        if (syntax instanceof Syntax.Negation negation) {
            Object value = value(negation.operand(), row);
            return value == null
                    ? null
                    : value instanceof BigInteger integer
                            ? checked(checked(integer).negate())
                            : value instanceof Float number
                                    ? (Object) (-number)
                                    : (Object) (-(Double) value);
        }
        if (syntax instanceof Syntax.Arithmetic arithmetic) {
            return arithmetic(arithmetic, row);
        }
        if (syntax instanceof Syntax.Coalesce coalesce) {
            for (Syntax each : coalesce.values()) {
                Object value = value(each, row);
                if (value != null) {
                    return number(each) == null ? value : convert(value, common(coalesce.values()));
                }
            }
            return null;
        }
        return condition(syntax, row);
    }

    private Boolean condition(Syntax syntax, Map<String, Object> row) {
        if (syntax instanceof Syntax.Not not) {
            return not((Boolean) value(not.operand(), row), true);
        }
        if (syntax instanceof Syntax.NullTest test) {
            return (value(test.operand(), row) == null) != test.not();
        }
        if (syntax instanceof Syntax.Junction junction) {
            return junction(junction, row);
        }
        if (syntax instanceof Syntax.Comparison comparison) {
            return compare(comparison.operator(), comparison.left(), comparison.right(), row);
        }
        if (syntax instanceof Syntax.Between between) {
            Boolean low = compare(Comparator.AT_LEAST, between.operand(), between.low(), row);
            if (Boolean.FALSE.equals(low)) {
                return between.not();
            }
            Boolean high = compare(Comparator.AT_MOST, between.operand(), between.high(), row);
            return not(
                    Boolean.TRUE.equals(low) || Boolean.FALSE.equals(high) ? high : null,
                    between.not());
        }
        if (syntax instanceof Syntax.Membership membership) {
            Boolean found = false;
            for (Syntax.Literal each : membership.values()) {
                Boolean equal = compare(Comparator.EQUAL, membership.operand(), each, row);
                found = equal == null ? null : found | equal;
                if (found == null) {
                    return null;
                }
            }
            return not(found, membership.not());
        }
        Syntax.Like like = (Syntax.Like) syntax;
        String text = (String) value(like.operand(), row);
        return text == null ? null : not(regex(like.pattern()).matcher(text).matches(), like.not());
    }

    private static Pattern regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        pattern.codePoints()
                .forEach(
                        c ->
                                regex.append(
                                        c == '%'
                                                ? ".*"
                                                : c == '_'
                                                        ? "."
                                                        : Pattern.quote(Character.toString(c))));
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private Boolean junction(Syntax.Junction junction, Map<String, Object> row) {
        Boolean result = junction.and();
        for (Syntax each : junction.conditions()) {
            Boolean value = (Boolean) value(each, row);
            if (value == null) {
                result = null;
            } else if (value != junction.and()) {
                return value;
            }
        }
        return result;
    }

    private static Boolean not(Boolean value, boolean not) {
        return value == null ? null : value != not;
    }

    private Boolean compare(
            Comparator comparator, Syntax left, Syntax right, Map<String, Object> row) {
        Object a = value(left, row);
        Object b = value(right, row);
        if (a == null || b == null) {
            return null;
        }
        if (number(left) == null) {
            @SuppressWarnings("unchecked")
            int order =
                    a instanceof String text
                            ? codePoints(text, (String) b)
                            : ((Comparable<Object>) a).compareTo(b);
            return comparator.holds(order);
        }
        if (a instanceof BigInteger x
                && b instanceof BigInteger y
                && number(left) != Number.FLOAT) {
            return comparator.holds(x.compareTo(y));
        }
        Number common = common(List.of(left, right));
        double x = ((java.lang.Number) convert(a, common)).doubleValue();
        double y = ((java.lang.Number) convert(b, common)).doubleValue();
        return switch (comparator) {
            case EQUAL -> x == y;
            case NOT_EQUAL -> x != y;
            case LESS -> x < y;
            case AT_MOST -> x <= y;
            case GREATER -> x > y;
            case AT_LEAST -> x >= y;
        };
    }

    private static int codePoints(String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        return java.util.Arrays.compare(x, y);
    }

    private Object arithmetic(Syntax.Arithmetic syntax, Map<String, Object> row) {
        Number common = common(List.of(syntax.left(), syntax.right()));
        boolean integer = common == Number.INTEGER || common == Number.UNSIGNED;
        Number type = !integer ? common : syntax.operator() == '/' ? Number.DOUBLE : Number.INTEGER;
        Object a = value(syntax.left(), row);
        a = a == null ? null : convert(a, type);
        Object b = value(syntax.right(), row);
        b = b == null ? null : convert(b, type);
        if (a == null || b == null) {
            return null;
        }
        if (type == Number.FLOAT) {
            return single(syntax.operator(), (Float) a, (Float) b);
        }
        if (type == Number.DOUBLE) {
            return floating(syntax.operator(), (Double) a, (Double) b);
        }
        BigInteger x = (BigInteger) a;
        BigInteger y = (BigInteger) b;
        return checked(
                switch (syntax.operator()) {
                    case '+' -> x.add(y);
                    case '-' -> x.subtract(y);
                    case '*' -> x.multiply(y);
                    default -> y.signum() < 0 ? x.negate().mod(y.negate()).negate() : x.mod(y);
                });
    }

    private static float single(char operator, float x, float y) {
        return switch (operator) {
            case '+' -> x + y;
            case '-' -> x - y;
            case '*' -> x * y;
            case '/' -> x / y;
            default -> (float) remainder(x, y);
        };
    }

    private static double floating(char operator, double x, double y) {
        return switch (operator) {
            case '+' -> x + y;
            case '-' -> x - y;
            case '*' -> x * y;
            case '/' -> x / y;
            default -> remainder(x, y);
        };
    }

    /** Python's definition: what the rounded quotient leaves, with the sign of the divisor. */
    private static double remainder(double x, double y) {
        double rest = Math.IEEEremainder(x, y);
        // IEEE's remainder is exact and within half a divisor of zero.
        if (rest != 0 && (rest < 0) != (y < 0)) {
            double positive = x % y;
            return (positive < 0) == (y < 0) ? positive : positive + y;
        }
        return rest == 0 ? Math.copySign(0, y) : rest;
    }

    private static Object literal(Constant constant) {
        return switch (constant.type().kind()) {
            case BOOLEAN -> constant.bits() != 0;
            case INTEGER, UNSIGNED -> new BigInteger(constant.text());
            case DOUBLE -> constant.number();
            case STRING -> constant.string();
            default -> null;
        };
    }

    private static BigInteger checked(BigInteger value) {
        if (value.compareTo(LEAST) < 0 || value.compareTo(MOST) > 0) {
            throw new ArithmeticException(value.toString());
        }
        return value;
    }

    private static Object convert(Object value, Number type) {
        return switch (type) {
            case INTEGER -> checked((BigInteger) value);
            case UNSIGNED -> value;
            case FLOAT -> ((java.lang.Number) value).floatValue();
            case DOUBLE -> ((java.lang.Number) value).doubleValue();
        };
    }

    /** The type of a number; null if it is none. */
    private Number number(Syntax syntax) {
        if (syntax instanceof Syntax.Column column) {
            return number(columns.get(column.name()));
        }
        if (syntax instanceof Syntax.Literal literal) {
            return number(literal.value().type());
        }
        if (syntax instanceof Syntax.Negation negation) {
            Number type = number(negation.operand());
            return type == Number.UNSIGNED ? Number.INTEGER : type;
        }
        if (syntax instanceof Syntax.Arithmetic arithmetic) {
            Number common = common(List.of(arithmetic.left(), arithmetic.right()));
            boolean integer = common == Number.INTEGER || common == Number.UNSIGNED;
            return !integer
                    ? common
                    : arithmetic.operator() == '/' ? Number.DOUBLE : Number.INTEGER;
        }
        if (syntax instanceof Syntax.Coalesce coalesce) {
            return number(coalesce.values().get(0)) == null ? null : common(coalesce.values());
        }
        return null;
    }

    private static Number number(Type type) {
        return type.isNumber() ? Number.valueOf(type.kind().name()) : null;
    }

    private Number common(List<Syntax> values) {
        List<Syntax> columns = values.stream().filter(each -> !isConstant(each)).toList();
        Number common = null;
        for (Syntax each : columns.isEmpty() ? values : columns) {
            Number type = number(each);
            boolean integers =
                    type.ordinal() <= Number.UNSIGNED.ordinal()
                            && (common == null || common.ordinal() <= Number.UNSIGNED.ordinal());
            common =
                    common == null || common == type
                            ? type
                            : integers ? Number.INTEGER : Number.DOUBLE;
        }
        for (Syntax each : columns.isEmpty() ? List.<Syntax>of() : values) {
            if (isConstant(each)) {
                Object value = value(each, Map.of());
                if (common == Number.FLOAT) {
                    double number = ((java.lang.Number) value).doubleValue();
                    common = Math.abs(number) > 3.4028235677973366e38 ? Number.DOUBLE : common;
                } else if (common != Number.DOUBLE && !(value instanceof BigInteger)) {
                    common = Number.DOUBLE;
                } else if (common == Number.UNSIGNED && ((BigInteger) value).signum() < 0) {
                    common = Number.INTEGER;
                }
            }
        }
        return common;
    }

    private static boolean isConstant(Syntax syntax) {
        boolean[] constant = {!(syntax instanceof Syntax.Column)};
        syntax.operands(operand -> constant[0] &= isConstant(operand));
        return constant[0];
    }
}
