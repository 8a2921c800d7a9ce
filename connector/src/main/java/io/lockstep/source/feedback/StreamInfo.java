package io.lockstep.source.feedback;

import io.lockstep.dataset.EpochTable;
import io.lockstep.order.OrderSettings;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The description of a stream for trainers.
 *
 * @param name the stream's name
 * @param wireSchema the Arrow schema of a batch as a serialized IPC schema message: the columns,
 *     then the sample ids and weights
 * @param order the settings of its order
 * @param table the length of each epoch
 * @param epochs the number of epochs of the run
 * @param manifest digest of the sealed manifest
 * @param fingerprint of the order over that manifest
 * @param transforms digest of the chosen columns and transforms
 */
public record StreamInfo(
        String name,
        byte[] wireSchema,
        OrderSettings order,
        EpochTable table,
        int epochs,
        String manifest,
        String fingerprint,
        String transforms)
        implements Serializable {

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamInfo that
                && name.equals(that.name)
                && Arrays.equals(wireSchema, that.wireSchema)
                && table.equals(that.table)
                && epochs == that.epochs
                && fingerprint.equals(that.fingerprint);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, fingerprint);
    }
}
