/**
 * The row-group transforms that Lockstep brings. Each class implements one kind, or several that
 * differ only in a formula.
 */
package io.lockstep.transform.column;
