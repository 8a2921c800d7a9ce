package io.lockstep.expression;

import java.util.List;
import java.util.Random;

/** Draws texts of expressions whose operands have fitting types. */
final class RandomExpressions {

    private static final List<String> NUMBERS =
            List.of(
                    "0",
                    "1",
                    "-1",
                    "2",
                    "7",
                    "0.5",
                    "0.1",
                    "-0.0",
                    "1e300",
                    "3.4028235e38",
                    "3.5e38",
                    "16777217",
                    "9007199254740993",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "18446744073709551615");
    private static final List<String> STRINGS =
            List.of("''", "'a'", "'ab'", "'é'", "'\uD83D\uDE00'");
    private static final List<String> PATTERNS =
            List.of("'%'", "'a%'", "'_'", "'%b'", "'%é%'", "'a_'", "''");

    private final Random random;

    RandomExpressions(long seed) {
        this.random = new Random(seed);
    }

    String any() {
        return switch (random.nextInt(5)) {
            case 0 -> number(4);
            case 1 -> string(2);
            default -> condition(4);
        };
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String pick(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String condition(int depth) {
        if (depth == 0) {
            return pick("b", "b", "true", "false");
        }
        return switch (random.nextInt(10)) {
            case 0 -> condition(0);
            case 1 -> "not (" + condition(depth - 1) + ")";
            case 2, 3 ->
                    "("
                            + condition(depth - 1)
                            + pick(") and (", ") or (")
                            + condition(depth - 1)
                            + ")";
            case 4 -> "(" + any(depth) + ")" + pick(" is null", " is not null");
            case 5 ->
                    number(depth - 1)
                            + pick(" between ", " not between ")
                            + number(1)
                            + " and "
                            + number(1);
            case 6 -> number(depth - 1) + pick(" in (", " not in (") + list(NUMBERS) + ")";
            case 7 -> string(depth - 1) + pick(" in (", " not in (") + list(STRINGS) + ")";
            case 8 ->
                    random.nextBoolean()
                            ? string(depth - 1) + pick(" like ", " not like ") + pick(PATTERNS)
                            : string(depth - 1) + comparator() + string(depth - 1);
            default -> number(depth - 1) + comparator() + number(depth - 1);
        };
    }

    private String any(int depth) {
        return random.nextBoolean() ? number(depth - 1) : string(depth - 1);
    }

    private String comparator() {
        return pick(" = ", " <> ", " < ", " <= ", " > ", " >= ");
    }

    private String list(List<String> of) {
        return pick(of) + ", " + pick(of) + ", " + pick(of);
    }

    private String number(int depth) {
        if (depth <= 0) {
            return pick("i", "j", "u", "f", "g", "d", pick(NUMBERS));
        }
        return switch (random.nextInt(5)) {
            case 0 -> number(0);
            case 1 -> "coalesce(" + number(depth - 1) + ", " + number(depth - 1) + ")";
            case 2 -> "-(" + number(depth - 1) + ")";
            default ->
                    "("
                            + number(depth - 1)
                            + pick(" + ", " - ", " * ", " / ", " % ")
                            + number(depth - 1)
                            + ")";
        };
    }

    private String string(int depth) {
        return depth <= 0 || random.nextBoolean()
                ? pick("s", "t", pick(STRINGS))
                : "coalesce(" + string(depth - 1) + ", " + string(depth - 1) + ")";
    }
}
