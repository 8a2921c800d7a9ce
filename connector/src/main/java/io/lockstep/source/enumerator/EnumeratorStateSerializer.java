package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Version 1: the generation, the number of streams, then name and digest of each by name. Version 2
 * adds the ledger, version 3 writes it so that its size hardly depends on the number of ranks.
 */
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {

    private static final int VERSION = 3;
    private static final int WITHOUT_LEDGER = 1;
    private static final int WITH_WHOLE_REPORTS = 2;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(128);
        out.writeLong(state.generation());
        out.writeInt(state.manifests().size());
        for (Map.Entry<String, String> stream : state.manifests().entrySet()) {
            out.writeUTF(stream.getKey());
            out.writeUTF(stream.getValue());
        }
        CommitsSerializer.write(state.commits(), out);
        return out.getCopyOfBuffer();
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
        if (version < WITHOUT_LEDGER || version > VERSION) {
            throw new IOException(
                    "an enumerator state of format version "
                            + version
                            + " cannot be read: this release reads versions up to "
                            + VERSION);
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        long generation = in.readLong();
        int streams = in.readInt();
        SortedMap<String, String> manifests = new TreeMap<>();
        for (int i = 0; i < streams; i++) {
            manifests.put(in.readUTF(), in.readUTF());
        }
        return new EnumeratorState(manifests, generation, commits(version, in));
    }

    private static List<CommitReport> commits(int version, DataInputDeserializer in)
            throws IOException {
        return switch (version) {
            case WITHOUT_LEDGER -> List.of();
            case WITH_WHOLE_REPORTS -> CommitsVersion2.read(in);
            default -> CommitsSerializer.read(in);
        };
    }
}
