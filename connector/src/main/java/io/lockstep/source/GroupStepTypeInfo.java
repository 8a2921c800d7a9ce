package io.lockstep.source;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type information of the handles between a source and the sink chained to it. */
@Internal
public final class GroupStepTypeInfo extends TypeInformation<GroupStep> {

    private static final long serialVersionUID = 1L;

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<GroupStep> getTypeClass() {
        return GroupStep.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<GroupStep> createSerializer(SerializerConfig config) {
        return GroupStepSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "GroupStep";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupStepTypeInfo;
    }

    @Override
    public int hashCode() {
        return GroupStepTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof GroupStepTypeInfo;
    }
}
