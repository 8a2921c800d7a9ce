package io.lockstep.transform.column;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces nulls by a constant. */
final class FillTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<JsonNode> VALUE =
            Parameter.required(
                    "value",
                    ParameterType.SCALAR,
                    "The constant, which the column's type must hold.");

    static final Kind KIND =
            Kind.of(
                    "fill",
                    "Replaces nulls by a constant: `x if x is not null else value`. The type stays,"
                            + " and the column has no nulls any more. NaN is a number and stays.",
                    List.of(ColumnKinds.COLUMNS, VALUE),
                    FillTransform::new);

    private final Constant value;

    private FillTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        JsonNode given = parameters.get(VALUE);
        this.value =
                new Constant(
                        given.asText(), given.isNumber(), given.isBoolean(), given.isTextual());
    }

    @Override
    Field replacement(Field column) {
        boolean fits =
                switch (column.getType().getTypeID()) {
                    case Bool -> value.isBoolean();
                    case Int -> value.isNumber() && value.fits(type(column));
                    case FloatingPoint -> value.isNumber();
                    case Utf8 -> value.isText();
                    default -> false;
                };
        if (!fits) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", which cannot hold "
                            + value);
        }
        return new Field(column.getName(), FieldType.notNullable(column.getType()), null);
    }

    @Override
    FieldVector replace(FieldVector values, Field replacement, BufferAllocator allocator) {
        if (values.getNullCount() == 0) {
            return Vectors.move(values, replacement, allocator);
        }
        if (replacement.getType() instanceof ArrowType.Utf8) {
            return texts((VarCharVector) values, replacement, allocator);
        }
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        ArrowBuf from = values.getDataBuffer();
        if (made instanceof BitVector bits) {
            fill(values, bits);
            return made;
        }
        NumberType type = type(replacement);
        NumberWriter writer = NumberWriter.of(type);
        int width = writer.width();
        long to = made.getDataBufferAddress();
        MemoryUtil.copyMemory(from.memoryAddress(), to, (long) values.getValueCount() * width);
        for (int row = 0; row < values.getValueCount(); row++) {
            if (values.isNull(row)) {
                value.write(writer, type, to + (long) row * width);
            }
        }
        return made;
    }

    private void fill(FieldVector values, BitVector made) {
        BitVector from = (BitVector) values;
        int constant = value.text().equals("true") ? 1 : 0;
        for (int row = 0; row < from.getValueCount(); row++) {
            made.set(row, from.isNull(row) ? constant : from.get(row));
        }
    }

    private FieldVector texts(VarCharVector from, Field replacement, BufferAllocator allocator) {
        byte[] constant = value.text().getBytes(StandardCharsets.UTF_8);
        VarCharVector made = (VarCharVector) replacement.createVector(allocator);
        try {
            int rows = from.getValueCount();
            long bytes = from.getOffsetBuffer().getInt((long) rows * Integer.BYTES);
            long added = (long) from.getNullCount() * constant.length;
            made.allocateNew(bytes + added, rows);
            for (int row = 0; row < rows; row++) {
                made.setSafe(row, from.isNull(row) ? constant : from.get(row));
            }
            made.setValueCount(rows);
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    private static NumberType type(Field column) {
        return NumberType.of(column.getType());
    }

    /** A constant of the run file. */
    private record Constant(String text, boolean isNumber, boolean isBoolean, boolean isText)
            implements Serializable {

        boolean fits(NumberType type) {
            return isWhole() ? type.holds(whole()) : type.holds(number());
        }

        void write(NumberWriter writer, NumberType type, long address) {
            if (type.isFloating() || !isWhole()) {
                writer.put(address, number());
            } else {
                writer.put(address, whole());
            }
        }

        private boolean isWhole() {
            return text.matches("-?\\d{1,18}");
        }

        private long whole() {
            return Long.parseLong(text);
        }

        private double number() {
            return Double.parseDouble(text);
        }

        @Override
        public String toString() {
            return isText ? "the text '" + text + "'" : text;
        }
    }
}
