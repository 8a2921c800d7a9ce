package io.lockstep.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Batches of randomly selected rows. The sample ids encode the selection: the source in the high
 * half, the row in the low half.
 */
public final class Lanes {

    private Lanes() {}

    /** The rows in a batch. */
    record Choice(int[] source, int[] row, long[] samples, byte[] weights) {

        /** Returns the expected values of a column, read row by row from the sources. */
        List<Object> expected(List<VectorSchemaRoot> roots, String column) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < row.length; i++) {
                values.add(
                        switch (column) {
                            case Wire.SAMPLE -> samples[i];
                            case Wire.WEIGHT -> weights[i];
                            default ->
                                    RandomRows.comparable(
                                            roots.get(source[i])
                                                    .getVector(column)
                                                    .getObject(row[i]));
                        });
            }
            return values;
        }
    }

    public static StepBatch gather(
            List<VectorSchemaRoot> roots,
            int rows,
            RandomGenerator random,
            BufferAllocator allocator) {
        return gather(
                new Gather(Wire.schema(roots.get(0).getSchema())), roots, rows, random, allocator);
    }

    /**
     * @param roots packed or not
     */
    static StepBatch gather(
            Gather gather,
            List<VectorSchemaRoot> roots,
            int rows,
            RandomGenerator random,
            BufferAllocator allocator) {
        Choice choice = new Choice(new int[rows], new int[rows], new long[rows], new byte[rows]);
        for (int i = 0; i < rows; i++) {
            choice.source[i] = random.nextInt(roots.size());
            choice.row[i] = random.nextInt(roots.get(choice.source[i]).getRowCount());
            choice.samples[i] = (long) choice.source[i] << Integer.SIZE | choice.row[i];
            choice.weights[i] = (byte) random.nextInt(2);
        }
        return gather.gather(
                roots.stream().map(gather::source).toList(),
                choice.source,
                choice.row,
                choice.samples,
                choice.weights,
                allocator);
    }

    static Choice choice(StepBatch batch) {
        int rows = batch.rows();
        UInt8Vector samples = (UInt8Vector) batch.root().getVector(Wire.SAMPLE);
        UInt1Vector weights = (UInt1Vector) batch.root().getVector(Wire.WEIGHT);
        Choice choice = new Choice(new int[rows], new int[rows], new long[rows], new byte[rows]);
        for (int i = 0; i < rows; i++) {
            choice.samples[i] = samples.get(i);
            choice.source[i] = (int) (samples.get(i) >>> Integer.SIZE);
            choice.row[i] = (int) samples.get(i);
            choice.weights[i] = weights.get(i);
        }
        return choice;
    }

    /** Returns all values of a vector, in a form that {@code equals} compares. */
    static List<Object> values(FieldVector vector) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < vector.getValueCount(); i++) {
            values.add(RandomRows.comparable(vector.getObject(i)));
        }
        return values;
    }
}
