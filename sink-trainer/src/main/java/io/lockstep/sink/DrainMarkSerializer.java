package io.lockstep.sink;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Version 1: no bytes; the presence of the mark is its content. */
final class DrainMarkSerializer implements SimpleVersionedSerializer<DrainMark> {

    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(DrainMark mark) {
        return new byte[0];
    }

    @Override
    public DrainMark deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "a sink writer's state of format version "
                            + version
                            + " cannot be read: this release reads version "
                            + VERSION);
        }
        return new DrainMark();
    }
}
