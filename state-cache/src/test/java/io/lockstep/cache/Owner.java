package io.lockstep.cache;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.RootAllocator;

/** A process that opens a store, stores a row group, reports it, and waits to be killed. */
final class Owner {

    private Owner() {}

    public static void main(String[] arguments) throws Exception {
        RowGroupStore store =
                RowGroupStore.open(Path.of(arguments[0]), 1 << 20, new RootAllocator());
        store.pin(new RowGroupKey("owned"), a -> Rows.from(1, 10, a), Runnable::run).get();
        System.out.write('\n');
        System.out.flush();
        waitForEver();
    }

    /** Blocks, because nothing is written to this process. */
    private static void waitForEver() throws IOException {
        System.in.read();
    }
}
