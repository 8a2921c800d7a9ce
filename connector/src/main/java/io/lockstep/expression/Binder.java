package io.lockstep.expression;

import io.lockstep.Nearest;
import io.lockstep.manifest.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes the typed tree of an expression over the columns of a schema. */
final class Binder {

    private final Schema schema;
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final ComparisonBinder comparisons;

    private Binder(Schema schema) {
        this.schema = schema;
        this.comparisons = new ComparisonBinder(schema);
    }

    /** The typed tree and the names of the columns it uses, by their numbers. */
    record Bound(Node root, List<String> columns) {}

    /**
     * @throws Problem if the expression does not fit the columns
     */
    static Bound bind(Syntax syntax, Schema schema) {
        Binder binder = new Binder(schema);
        Node root = binder.node(syntax);
        if (root.type().is(Type.Kind.NULL)) {
            throw new Problem(syntax.at(), "the expression is null for every row");
        }
        if (root.type().is(Type.Kind.OTHER)) {
            throw new Problem(
                    syntax.at(), binder.noun(syntax, root) + " can only be tested by 'is null'");
        }
        return new Bound(root, List.copyOf(binder.columns.keySet()));
    }

    private String noun(Syntax syntax, Node node) {
        return Nouns.of(syntax, node, schema);
    }

    private Node node(Syntax syntax) {
        if (syntax instanceof Syntax.Column column) {
            return column(column);
        }
        if (syntax instanceof Syntax.Literal literal) {
            return new ConstantNode(literal.value());
        }
        if (syntax instanceof Syntax.Arithmetic arithmetic) {
            return arithmetic(arithmetic);
        }
        if (syntax instanceof Syntax.Negation negation) {
            return negation(negation);
        }
        if (syntax instanceof Syntax.Coalesce coalesce) {
            return coalesce(coalesce);
        }
        return condition(syntax);
    }

    private Node condition(Syntax syntax) {
        if (syntax instanceof Syntax.Junction junction) {
            String word = junction.and() ? "'and'" : "'or'";
            return new Junction(
                    junction.and(),
                    junction.conditions().stream()
                            .map(condition -> joined(condition, word))
                            .toList());
        }
        if (syntax instanceof Syntax.Not not) {
            return new Not(joined(not.operand(), "'not'"));
        }
        if (syntax instanceof Syntax.NullTest test) {
            return negated(new NullTest(node(test.operand())), test.not());
        }
        if (syntax instanceof Syntax.Comparison comparison) {
            return comparisons.compare(
                    comparison.at(),
                    comparison.operator(),
                    operand(comparison.left()),
                    operand(comparison.right()));
        }
        if (syntax instanceof Syntax.Between between) {
            ComparisonBinder.Operand operand = operand(between.operand());
            int at = between.at();
            Node low =
                    comparisons.compare(at, Comparator.AT_LEAST, operand, operand(between.low()));
            Node high =
                    comparisons.compare(at, Comparator.AT_MOST, operand, operand(between.high()));
            return negated(new Junction(true, List.of(low, high)), between.not());
        }
        if (syntax instanceof Syntax.Membership membership) {
            return negated(
                    comparisons.membership(membership, operand(membership.operand())),
                    membership.not());
        }
        Syntax.Like like = (Syntax.Like) syntax;
        return negated(like(like), like.not());
    }

    private static Node negated(Node condition, boolean not) {
        return not ? new Not(condition) : condition;
    }

    private ComparisonBinder.Operand operand(Syntax syntax) {
        return new ComparisonBinder.Operand(syntax, node(syntax));
    }

    private Node column(Syntax.Column column) {
        Field field = null;
        for (Field each : schema.getFields()) {
            if (each.getName().equals(column.name())) {
                field = each;
            }
        }
        if (field == null) {
            List<String> known = schema.getFields().stream().map(Field::getName).toList();
            throw new Problem(
                    column.at(),
                    "there is no column \""
                            + column.name()
                            + "\"."
                            + Nearest.suggestion(column.name(), known)
                            + " The columns are "
                            + Names.some(known)
                            + ".");
        }
        int index = columns.computeIfAbsent(column.name(), name -> columns.size());
        return new ColumnNode(Type.of(field.getType()), index, field.isNullable());
    }

    private Node joined(Syntax syntax, String word) {
        Node node = node(syntax);
        if (node.type().is(Type.Kind.NULL)) {
            return ConstantNode.ofNull(Type.BOOLEAN);
        }
        if (!node.type().is(Type.Kind.BOOLEAN)) {
            throw new Problem(
                    syntax.at(),
                    word + " takes conditions, and " + noun(syntax, node) + " is not one");
        }
        return node;
    }

    private Node number(Syntax syntax) {
        Node node = node(syntax);
        if (!node.type().isNumber()) {
            throw new Problem(syntax.at(), noun(syntax, node) + " cannot be used in arithmetic");
        }
        return node;
    }

    private Node arithmetic(Syntax.Arithmetic syntax) {
        Node left = number(syntax.left());
        Node right = number(syntax.right());
        Type common = NumberTypes.common(List.of(left, right));
        boolean floating = common.isFloating() || syntax.operator() == '/';
        Type type = !floating ? Type.INTEGER : common.isFloating() ? common : Type.DOUBLE;
        Node a = Folding.convert(type, syntax.left().at(), left);
        Node b = Folding.convert(type, syntax.right().at(), right);
        return Folding.fold(
                floating
                        ? new FloatingArithmetic(type, syntax.operator(), a, b)
                        : new IntegerArithmetic(syntax.at(), syntax.operator(), a, b));
    }

    private Node negation(Syntax.Negation syntax) {
        Node operand = number(syntax.operand());
        Type type = operand.type().isFloating() ? operand.type() : Type.INTEGER;
        return Folding.fold(
                new Negation(syntax.at(), Folding.convert(type, syntax.operand().at(), operand)));
    }

    private Node coalesce(Syntax.Coalesce syntax) {
        List<ComparisonBinder.Operand> operands =
                syntax.values().stream().map(this::operand).toList();
        return Folding.fold(comparisons.coalesce(syntax.at(), operands));
    }

    private Node like(Syntax.Like syntax) {
        Node operand = node(syntax.operand());
        if (!operand.type().is(Type.Kind.STRING)) {
            throw new Problem(
                    syntax.at(),
                    "'like' needs a string, and " + noun(syntax.operand(), operand) + " is none");
        }
        try {
            return new Like(operand, LikePattern.of(syntax.pattern(), syntax.escape()));
        } catch (IllegalArgumentException e) {
            throw new Problem(syntax.at(), e.getMessage());
        }
    }
}
