/** Where and with what the user's Python functions run: interpreter, limits and source code. */
package io.lockstep.python;
