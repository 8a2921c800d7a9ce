package io.lockstep.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Parses expressions by recursive descent. From weakest to strongest: {@code or}, {@code and},
 * {@code not}, comparisons, {@code + -}, {@code * / %}, unary minus.
 *
 * <p>This is own code rather than a library's: the grammar has these seven levels, while SQL
 * parsers accept a whole language whose rest would have to be refused, and generated parsers report
 * the tokens that their grammar expects instead of what the user should write. The types, which are
 * most of the work, none of them has.
 */
final class Parser {

    /** The number of levels of parentheses, {@code not} and unary minus. */
    static final int MAX_NESTING = 50;

    /** The number of {@code + - * / %} in an expression, which bounds the depth of its tree. */
    static final int MAX_OPERATORS = 500;

    private static final Set<String> KEYWORDS =
            Set.of(
                    "and", "or", "not", "in", "between", "is", "null", "like", "escape", "true",
                    "false");

    private final List<Token> tokens;
    private int next;
    private int nesting;
    private int operatorCount;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /**
     * @throws Problem if the text is not an expression
     */
    static Syntax parse(String text) {
        Parser parser = new Parser(Lexer.tokens(text));
        if (parser.token().kind() == Token.Kind.END) {
            throw new Problem(0, "the expression is empty");
        }
        Syntax expression = parser.or();
        Token rest = parser.token();
        if (rest.kind() != Token.Kind.END) {
            throw parser.unexpected("an operator or the end");
        }
        return expression;
    }

    private Syntax or() {
        return junction("or");
    }

    private Syntax junction(String word) {
        boolean and = word.equals("and");
        List<Syntax> conditions = new ArrayList<>();
        conditions.add(and ? not() : junction("and"));
        int at = token().at();
        while (acceptWord(word)) {
            conditions.add(and ? not() : junction("and"));
        }
        return conditions.size() == 1
                ? conditions.get(0)
                : new Syntax.Junction(at, and, List.copyOf(conditions));
    }

    private Syntax not() {
        int at = token().at();
        if (acceptWord("not")) {
            nest(at);
            Syntax operand = not();
            nesting--;
            return new Syntax.Not(at, operand);
        }
        return comparison();
    }

    private Syntax comparison() {
        Syntax left = sum();
        Syntax compared = predicate(left);
        if (compared != left && (comparator() != null || isPredicate())) {
            throw new Problem(
                    token().at(),
                    "comparisons cannot follow one another; join them by 'and', or use parentheses");
        }
        return compared;
    }

    private Syntax predicate(Syntax left) {
        int at = token().at();
        Comparator comparator = comparator();
        if (comparator != null) {
            next++;
            return new Syntax.Comparison(at, comparator, left, sum());
        }
        if (acceptWord("is")) {
            boolean not = acceptWord("not");
            expectWord("null");
            return new Syntax.NullTest(at, left, not);
        }
        boolean not = isPredicate() && acceptWord("not");
        if (acceptWord("between")) {
            Syntax low = sum();
            expectWord("and");
            return new Syntax.Between(at, left, low, sum(), not);
        }
        if (acceptWord("in")) {
            return new Syntax.Membership(at, left, list(), not);
        }
        if (acceptWord("like")) {
            return like(at, left, not);
        }
        return left;
    }

    private Comparator comparator() {
        return token().kind() == Token.Kind.SIGN ? Comparator.of(token().text()) : null;
    }

    /** Whether one of the predicates of words follows. */
    private boolean isPredicate() {
        Token word = token().isWord("not") ? tokens.get(next + 1) : token();
        return word.isWord("between")
                || word.isWord("in")
                || word.isWord("like")
                || token().isWord("is");
    }

    private List<Syntax.Literal> list() {
        expectSign("(");
        List<Syntax.Literal> values = new ArrayList<>();
        do {
            int at = token().at();
            if (!(unary() instanceof Syntax.Literal literal)) {
                throw new Problem(
                        at, "a list of 'in' has only numbers, strings, dates and true or false");
            }
            values.add(literal);
        } while (acceptSign(","));
        expectSign(")");
        return List.copyOf(values);
    }

    private Syntax like(int at, Syntax operand, boolean not) {
        String pattern = string("a pattern in single quotes");
        Integer escape = null;
        if (acceptWord("escape")) {
            int escapeAt = token().at();
            String text = string("a character in single quotes");
            if (text.codePointCount(0, text.length()) != 1) {
                throw new Problem(escapeAt, "'escape' takes a single character");
            }
            escape = text.codePointAt(0);
        }
        return new Syntax.Like(at, operand, pattern, escape, not);
    }

    private Syntax sum() {
        return arithmetic("+-");
    }

    private Syntax arithmetic(String operators) {
        boolean sum = operators.equals("+-");
        Syntax left = sum ? arithmetic("*/%") : unary();
        while (isOneOf(operators)) {
            Token operator = tokens.get(next++);
            if (++operatorCount > MAX_OPERATORS) {
                throw new Problem(
                        operator.at(),
                        "an expression can have " + MAX_OPERATORS + " arithmetic operators");
            }
            Syntax right = sum ? arithmetic("*/%") : unary();
            left = new Syntax.Arithmetic(operator.at(), operator.text().charAt(0), left, right);
        }
        return left;
    }

    private boolean isOneOf(String operators) {
        return token().kind() == Token.Kind.SIGN
                && token().text().length() == 1
                && operators.contains(token().text());
    }

    private Syntax unary() {
        Token sign = token();
        if (acceptSign("-")) {
            if (token().kind() == Token.Kind.NUMBER) {
                Token number = tokens.get(next++);
                return Literals.number(sign.at(), "-" + number.text());
            }
            nest(sign.at());
            Syntax operand = unary();
            nesting--;
            return new Syntax.Negation(sign.at(), operand);
        }
        return primary();
    }

    private Syntax primary() {
        Token token = token();
        switch (token.kind()) {
            case NUMBER -> {
                next++;
                return Literals.number(token.at(), token.text());
            }
            case STRING -> {
                next++;
                return new Syntax.Literal(token.at(), Constant.of(token.text()));
            }
            case QUOTED -> {
                next++;
                return column(token);
            }
            case WORD -> {
                return word(token);
            }
            default -> {
                if (!acceptSign("(")) {
                    throw unexpected("a value");
                }
                nest(token.at());
                Syntax inner = or();
                nesting--;
                expectSign(")");
                return inner;
            }
        }
    }

    private Syntax word(Token word) {
        Token after = tokens.get(next + 1);
        String lower = word.text().toLowerCase(Locale.ROOT);
        switch (lower) {
            case "true", "false" -> {
                next++;
                return new Syntax.Literal(word.at(), Constant.of(lower.equals("true")));
            }
            case "null" -> {
                next++;
                return new Syntax.Literal(word.at(), Constant.ofNull());
            }
            case "date", "timestamp" -> {
                if (after.kind() == Token.Kind.STRING) {
                    next += 2;
                    return lower.equals("date")
                            ? Literals.date(word.at(), after.text())
                            : Literals.timestamp(word.at(), after.text());
                }
            }
            default -> {
                if (KEYWORDS.contains(lower)) {
                    throw unexpected("a value");
                }
            }
        }
        next++;
        return after.isSign("(") ? call(word, lower) : column(word);
    }

    private Syntax call(Token name, String lower) {
        if (!lower.equals("coalesce")) {
            throw new Problem(
                    name.at(),
                    "there is no function " + name.shown() + "; the only one is 'coalesce'");
        }
        expectSign("(");
        nest(name.at());
        List<Syntax> values = new ArrayList<>();
        do {
            values.add(or());
        } while (acceptSign(","));
        nesting--;
        expectSign(")");
        return new Syntax.Coalesce(name.at(), List.copyOf(values));
    }

    private Syntax column(Token name) {
        if (token().isSign(".")) {
            throw new Problem(
                    name.at(),
                    "a field of a nested column cannot be used, only whole columns; write the name"
                            + " of a column that contains a dot in double quotes");
        }
        return new Syntax.Column(name.at(), name.text());
    }

    private String string(String expected) {
        if (token().kind() != Token.Kind.STRING) {
            throw unexpected(expected);
        }
        return tokens.get(next++).text();
    }

    private void nest(int at) {
        if (++nesting > MAX_NESTING) {
            throw new Problem(at, "more than " + MAX_NESTING + " levels are nested here");
        }
    }

    private Token token() {
        return tokens.get(next);
    }

    private boolean acceptWord(String word) {
        boolean accepted = token().isWord(word);
        next += accepted ? 1 : 0;
        return accepted;
    }

    private boolean acceptSign(String sign) {
        boolean accepted = token().isSign(sign);
        next += accepted ? 1 : 0;
        return accepted;
    }

    private void expectWord(String word) {
        if (!acceptWord(word)) {
            throw unexpected("'" + word + "'");
        }
    }

    private void expectSign(String sign) {
        if (!acceptSign(sign)) {
            throw unexpected("'" + sign + "'");
        }
    }

    private Problem unexpected(String expected) {
        Token token = token();
        String hint =
                token.kind() == Token.Kind.WORD
                                && KEYWORDS.contains(token.text().toLowerCase(Locale.ROOT))
                                && expected.equals("a value")
                        ? "; a column of this name needs double quotes"
                        : "";
        return new Problem(
                token.at(), "expected " + expected + ", but found " + token.shown() + hint);
    }
}
