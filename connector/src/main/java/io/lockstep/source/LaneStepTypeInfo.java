package io.lockstep.source;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Type of the handles between a source and the sink chained to it. */
@Internal
public final class LaneStepTypeInfo extends TypeInformation<LaneStep> {

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
    public Class<LaneStep> getTypeClass() {
        return LaneStep.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<LaneStep> createSerializer(SerializerConfig config) {
        return LaneStepSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "LaneStep";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LaneStepTypeInfo;
    }

    @Override
    public int hashCode() {
        return LaneStepTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof LaneStepTypeInfo;
    }
}
