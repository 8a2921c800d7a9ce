package io.lockstep.handoff.shm;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.arrow.memory.util.MemoryUtil;

/** A process with a batch in shared memory, until it is killed or its input ends. */
final class MemoryHolder {

    static final String READY = "ready";

    private MemoryHolder() {}

    /** Takes the directory as its argument. */
    public static void main(String[] arguments) throws Exception {
        try (SharedMemory memory = SharedMemory.open(Path.of(arguments[0]), "holder", 1);
                SlotConnection connection = memory.connect("c");
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            connection
                    .take(1L, 1000, 1)
                    .orElseThrow()
                    .write(address -> MemoryUtil.putLong(address, 1));
            out.write((READY + "\n").getBytes(StandardCharsets.UTF_8));
            while (System.in.read() >= 0) {
                // Waits for the end of the input.
                continue;
            }
        }
    }
}
