package io.lockstep.source.split;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Version 1: the stream's name in modified UTF-8, then the lane as a big-endian int. */
public final class LaneSplitSerializer implements SimpleVersionedSerializer<LaneSplit> {

    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(LaneSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(32);
        out.writeUTF(split.stream());
        out.writeInt(split.lane());
        return out.getCopyOfBuffer();
    }

    @Override
    public LaneSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "a lane split of format version "
                            + version
                            + " cannot be read: this release reads version "
                            + VERSION);
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        return new LaneSplit(in.readUTF(), in.readInt());
    }
}
