package io.lockstep.source;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Forwards handles within a chain and refuses to serialize them: a handle points to memory of its
 * process, and only the sink chained to the reader serves its lanes.
 */
final class GroupStepSerializer extends TypeSerializerSingleton<GroupStep> {

    static final GroupStepSerializer INSTANCE = new GroupStepSerializer();

    private static final long serialVersionUID = 1L;

    private static final String REFUSAL =
            "A step can only be passed to an operator chained to its source: keep the parallelism of"
                    + " source and sink equal, chaining on, and no operator between them that"
                    + " repartitions. The graph that TrainingJob builds is so.";

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public GroupStep createInstance() {
        return null;
    }

    @Override
    public GroupStep copy(GroupStep from) {
        return from;
    }

    @Override
    public GroupStep copy(GroupStep from, GroupStep reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(GroupStep record, DataOutputView target) {
        throw new UnsupportedOperationException(REFUSAL);
    }

    @Override
    public GroupStep deserialize(DataInputView source) {
        throw new UnsupportedOperationException(REFUSAL);
    }

    @Override
    public GroupStep deserialize(GroupStep reuse, DataInputView source) {
        throw new UnsupportedOperationException(REFUSAL);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) {
        throw new UnsupportedOperationException(REFUSAL);
    }

    @Override
    public TypeSerializerSnapshot<GroupStep> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Stateless, because there is only one format. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<GroupStep> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
