package io.lockstep.parquet;

import java.io.IOException;

/** Selects the decoder for each page of a fixed-width column chunk. Not thread-safe. */
interface FixedSource extends AutoCloseable {

    /** Returns the size of a value in the Arrow buffer, in bytes. */
    int width();

    /** Sets the dictionary for the pages that follow. */
    void dictionary(DictionaryPage page) throws IOException;

    /**
     * @throws IOException if the page's encoding is not supported
     */
    FixedValues open(DataPage page) throws IOException;

    @Override
    void close();
}
