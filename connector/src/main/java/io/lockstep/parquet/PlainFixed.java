package io.lockstep.parquet;

import java.io.IOException;

/** Decodes plain fixed-width values, which are stored contiguously. */
final class PlainFixed implements FixedValues {

    private final FixedForm form;
    private final Region values;
    private int position;

    PlainFixed(FixedForm form, Region values) {
        this.form = form;
        this.values = values;
    }

    /**
     * @throws IOException if fewer than {@code count} values are left
     */
    Region require(int count) throws IOException {
        return values.part(position, Math.multiplyExact(count, form.plainWidth()));
    }

    @Override
    public void read(int count, long address) throws IOException {
        Region next = require(count);
        form.convert(next.address(), address, count);
        position += next.length();
    }
}
