package io.lockstep.transform.python;

import javax.annotation.Nullable;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A worker's answer to a call: either the declared columns or a fault.
 *
 * @param rows which the receiver closes
 */
record Answer(@Nullable VectorSchemaRoot rows, @Nullable FunctionFault fault) {}
