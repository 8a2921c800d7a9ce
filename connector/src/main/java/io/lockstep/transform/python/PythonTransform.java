package io.lockstep.transform.python;

import io.lockstep.python.PythonSettings;
import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.Columns;
import io.lockstep.transform.column.Vectors;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds the columns that a Python function returns, or puts them in the place of those it reads. */
public final class PythonTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    private static final String NAME = "python";
    private static final int VERSION = 1;

    public static final Kind KIND =
            new Kind(
                    NAME,
                    "Calls a Python function with the columns that it reads, and adds those that it"
                            + " returns; see [Python functions](#python-functions). All other keys are"
                            + " keyword parameters of the function.",
                    List.of(
                            Parameter.required(
                                    FunctionCall.FUNCTION,
                                    ParameterType.TEXT,
                                    "`module:function`."),
                            Parameter.required(
                                    FunctionCall.COLUMNS,
                                    ParameterType.COLUMNS,
                                    "The columns that it reads."),
                            Parameter.required(
                                    FunctionCall.ADDS,
                                    ParameterType.TEXTS,
                                    "The columns that it returns, each with its type: "
                                            + DeclaredColumn.types()
                                            + ". The name of a column that it reads replaces that"
                                            + " column.")),
                    PythonTransform::new);

    private final String description;
    private final FunctionCall function;
    private final PythonSettings settings;
    private final byte[] frame;

    private PythonTransform(TransformSpec spec) {
        this.function = FunctionCall.of(spec);
        this.settings = spec.python() == null ? PythonSettings.defaults() : spec.python();
        this.frame = function.frame();
        this.description =
                NAME
                        + "/"
                        + VERSION
                        + " "
                        + spec.parameters().replace("\n", "\\n")
                        + " code "
                        + settings.code().sha256();
    }

    /**
     * The outermost module of a transform's function; empty if it is no Python function.
     *
     * @throws TransformException if its parameters are wrong
     */
    public static Optional<String> module(TransformSpec spec) {
        return spec.kind().equals(NAME)
                ? Optional.of(FunctionCall.of(spec).function().split("[.:]")[0])
                : Optional.empty();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public boolean isTriedOnSample() {
        return true;
    }

    @Override
    public Schema schema(Schema schema) {
        List<String> read = new Columns(function.columns()).in(schema);
        Map<String, Field> declared = new HashMap<>();
        function.declared().forEach(field -> declared.put(field.getName(), field));
        List<Field> fields = new ArrayList<>();
        for (Field field : schema.getFields()) {
            Field replaced = declared.remove(field.getName());
            if (replaced != null && !read.contains(field.getName())) {
                throw new TransformException(
                        "there is a column \""
                                + field.getName()
                                + "\" already; to replace it, name it in 'columns' too");
            }
            fields.add(replaced == null ? field : replaced);
        }
        function.declared().stream()
                .filter(field -> declared.containsKey(field.getName()))
                .forEach(fields::add);
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        try (VectorSchemaRoot made = made(rows, allocator)) {
            List<FieldVector> vectors = new ArrayList<>();
            for (Field field : schema.getFields()) {
                FieldVector added = made.getVector(field.getName());
                FieldVector vector = added == null ? rows.getVector(field.getName()) : added;
                vectors.add(Vectors.move(vector, field, allocator));
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        }
    }

    private VectorSchemaRoot made(VectorSchemaRoot rows, BufferAllocator allocator) {
        if (rows.getRowCount() == 0) {
            return VectorSchemaRoot.create(new Schema(function.declared()), allocator);
        }
        List<FieldVector> read = new ArrayList<>();
        new Columns(function.columns())
                .in(rows.getSchema())
                .forEach(column -> read.add(rows.getVector(column)));
        Schema schema = new Schema(read.stream().map(FieldVector::getField).toList());
        // Not closed: its vectors belong to the rows.
        VectorSchemaRoot sent = new VectorSchemaRoot(schema, read, rows.getRowCount());
        Answer answer;
        try {
            answer = WorkerPools.call(settings, frame, sent, allocator);
        } catch (WorkerLostException e) {
            throw new TransformException(
                    String.format(
                            "the function %s lost %d workers, one after the other; the last one %s",
                            function.function(), WorkerPool.ATTEMPTS, e.getMessage()),
                    e);
        }
        if (answer.fault() != null) {
            throw failed(answer.fault(), rows.getRowCount());
        }
        return answer.rows();
    }

    private TransformException failed(FunctionFault fault, int rows) {
        StringBuilder message = new StringBuilder("the function ").append(function.function());
        message.append(' ').append(fault.message());
        if (fault.row() != null) {
            message.append(
                    String.format(
                            "; row %d of %d is the first that it fails for", fault.row(), rows));
        }
        fault.lines().forEach(line -> message.append("\n  ").append(line));
        return new TransformException(message.toString());
    }
}
