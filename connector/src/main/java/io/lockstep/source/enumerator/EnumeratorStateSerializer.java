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
 * Version 1: the generation, the number of streams, then the name and digest of each, sorted by
 * name. Version 2 adds the ledger. Version 3 stores the ledger in a form whose size hardly depends
 * on the number of ranks. Version 4 adds the number of streams whose order is known, then the name
 * and fingerprint of each.
 */
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {

    private static final int VERSION = 4;
    private static final int WITHOUT_LEDGER = 1;
    private static final int WITH_WHOLE_REPORTS = 2;
    private static final int WITHOUT_FINGERPRINTS = 3;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(128);
        out.writeLong(state.generation());
        write(state.manifests(), out);
        CommitsSerializer.write(state.commits(), out);
        write(state.fingerprints(), out);
        return out.getCopyOfBuffer();
    }

    private static void write(SortedMap<String, String> byStream, DataOutputSerializer out)
            throws IOException {
        out.writeInt(byStream.size());
        for (Map.Entry<String, String> stream : byStream.entrySet()) {
            out.writeUTF(stream.getKey());
            out.writeUTF(stream.getValue());
        }
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
        SortedMap<String, String> manifests = byStream(in);
        List<CommitReport> commits = commits(version, in);
        SortedMap<String, String> fingerprints =
                version <= WITHOUT_FINGERPRINTS ? new TreeMap<>() : byStream(in);
        return new EnumeratorState(manifests, fingerprints, generation, commits);
    }

    private static SortedMap<String, String> byStream(DataInputDeserializer in) throws IOException {
        SortedMap<String, String> byStream = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            byStream.put(in.readUTF(), in.readUTF());
        }
        return byStream;
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
