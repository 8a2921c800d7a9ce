package io.lockstep.parquet;

import java.io.IOException;

/** Finds the decoder for each page of a column chunk of fixed width. Not thread-safe. */
interface FixedSource extends AutoCloseable {

    /** Bytes of a value in the Arrow buffer. */
    int width();

    /** Takes the dictionary for the pages that follow. */
    void dictionary(DictionaryPage page) throws IOException;

    /**
     * @throws IOException where the page's encoding is not read
     */
    FixedValues open(DataPage page) throws IOException;

    @Override
    void close();
}
