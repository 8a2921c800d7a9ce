/**
 * A small SQL-like expression language over the columns of Arrow rows, for filters and computed
 * columns.
 *
 * <p>{@link io.lockstep.expression.Expression} parses a text, {@link
 * io.lockstep.expression.BoundExpression} has the types of its columns and evaluates it. {@code
 * Syntax} is the tree of the text, {@code Node} the typed tree, which works on arrays of values for
 * a chunk of rows at a time. The language is described in {@code docs/expressions.md}. This package
 * depends on Arrow only.
 */
package io.lockstep.expression;
