package io.lockstep.footer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the row groups out of a footer; numbers in {@code case} are field ids of the format. */
final class RowGroupScanner {

    private final CompactReader in;

    RowGroupScanner(CompactReader in) {
        this.in = in;
    }

    List<FileRowGroup> readRowGroups() throws IOException {
        int size = in.beginList();
        List<FileRowGroup> groups = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            groups.add(readRowGroup());
        }
        return groups;
    }

    private FileRowGroup readRowGroup() throws IOException {
        List<ColumnChunk> chunks = List.of();
        long rows = 0;
        in.beginStruct();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case 1 -> chunks = readChunks();
                case 3 -> rows = in.readZigZag();
                default -> in.skip();
            }
        }
        in.endStruct();
        return new FileRowGroup(rows, chunks);
    }

    private List<ColumnChunk> readChunks() throws IOException {
        int size = in.beginList();
        List<ColumnChunk> chunks = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            chunks.add(readChunk());
        }
        return chunks;
    }

    private ColumnChunk readChunk() throws IOException {
        ColumnChunk chunk = null;
        boolean elsewhere = false;
        in.beginStruct();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case 3 -> chunk = readMetaData();
                case 1, 8, 9 -> {
                    elsewhere = true;
                    in.skip();
                }
                default -> in.skip();
            }
        }
        in.endStruct();
        if (chunk == null || elsewhere) {
            return new ColumnChunk(0, 0, 0, 0, 0, -1, -1, true);
        }
        return chunk;
    }

    private ColumnChunk readMetaData() throws IOException {
        int codec = 0;
        long values = 0;
        long uncompressed = 0;
        long compressed = 0;
        long data = 0;
        long dictionary = -1;
        long content = -1;
        in.beginStruct();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case 4 -> codec = (int) in.readZigZag();
                case 5 -> values = in.readZigZag();
                case 6 -> uncompressed = in.readZigZag();
                case 7 -> compressed = in.readZigZag();
                case 9 -> data = in.readZigZag();
                case 11 -> dictionary = in.readZigZag();
                case 16 -> content = readContentBytes();
                default -> in.skip();
            }
        }
        in.endStruct();
        return new ColumnChunk(
                codec, values, uncompressed, compressed, data, dictionary, content, false);
    }

    /** Of the size statistics, the first field. */
    private long readContentBytes() throws IOException {
        long content = -1;
        in.beginStruct();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            if (field == 1) {
                content = in.readZigZag();
            } else {
                in.skip();
            }
        }
        in.endStruct();
        return content;
    }
}
