package io.lockstep.handoff.state;

import io.lockstep.dataset.EpochTable;
import io.lockstep.order.OrderSettings;
import io.lockstep.protocol.Reply;
import io.lockstep.source.feedback.StreamInfo;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;
import org.apache.arrow.vector.types.pojo.Schema;

/** A stream of the run, as the server uses it. */
public record ServedStream(StreamInfo info, Schema schema) {

    ServedStream(StreamInfo info) {
        this(info, Schema.deserializeMessage(ByteBuffer.wrap(info.wireSchema())));
    }

    /** The stream's entry in the routing. */
    public Reply.StreamEntry entry() {
        OrderSettings order = info.order();
        EpochTable.Epoch each = info.table().isConstant() ? info.table().of(0) : null;
        return new Reply.StreamEntry(
                order.lanes(),
                order.batch(),
                each == null ? null : each.steps(),
                info.epochs(),
                each == null ? null : each.rows(),
                Long.toUnsignedString(order.seed()),
                order.shuffle().toString().toLowerCase(Locale.ROOT),
                order.tail().toString().toLowerCase(Locale.ROOT),
                order.window(),
                Base64.getEncoder().encodeToString(info.wireSchema()),
                info.fingerprint(),
                info.manifest(),
                info.transforms());
    }
}
