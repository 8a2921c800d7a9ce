package io.lockstep.handoff.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in shared memory outlive their process at most until the next server starts or stops. */
class LeftoversTest {

    @TempDir Path directory;

    /** Starts a JVM that holds a connection with a batch in it, as {@link MemoryHolder} does. */
    private Process hold() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path").replace(File.pathSeparator, ":"));
        command.add(MemoryHolder.class.getName());
        command.add(directory.toString());
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo(MemoryHolder.READY);
        return process;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void aKilledProcessIsCleanedUpAfterAndALivingOneIsNot() throws Exception {
        Process living = hold();
        List<Path> ofTheLiving = files();
        assertThat(ofTheLiving).hasSize(3);
        Process killed = hold();
        assertThat(files()).hasSize(6);
        killed.destroyForcibly().waitFor();

        try (SharedMemory own = SharedMemory.open(directory, "own", 1)) {
            assertThat(files()).hasSize(5).containsAll(ofTheLiving).contains(own.probe());
        }
        assertThat(files()).containsExactlyInAnyOrderElementsOf(ofTheLiving);
        living.destroyForcibly().waitFor();
        SharedMemory.sweep(directory);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aSiblingThatWasKilledIsCleanedUpAfterAtTheEnd() throws Exception {
        SharedMemory own = SharedMemory.open(directory, "own", 1);
        hold().destroyForcibly().waitFor();
        own.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aProcessThatIsAskedToEndDeletesItsFilesItself() throws Exception {
        Process asked = hold();
        assertThat(files()).hasSize(3);
        // Sends the signal only: Process.destroy closes the input too, which ends the process by
        // itself.
        asked.toHandle().destroy();
        assertThat(asked.waitFor()).isEqualTo(128 + 15);
        assertThat(directory).isEmptyDirectory();
    }

    /** Two servers that start in one process at the same time see the same leftovers. */
    @Test
    void whatAnotherThreadLooksAtIsLeftToIt() throws Exception {
        hold().destroyForcibly().waitFor();
        Path lock = lockFile();
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            other.lock();
            SharedMemory.open(directory, "own", 1).close();
            assertThat(lock).exists();
        }
        SharedMemory.sweep(directory);
        assertThat(directory).isEmptyDirectory();
    }

    private Path lockFile() throws IOException {
        return files().stream()
                .filter(file -> file.toString().endsWith(".lock"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aServerThatIsClosedIsForgottenByTheJvm() throws Exception {
        Set<Thread> before = shutdownHooks();
        SharedMemory memory = SharedMemory.open(directory, "own", 1);
        // Another library may start one at its first use.
        Set<Thread> brought = shutdownHooks();
        brought.removeAll(before);
        brought.removeIf(hook -> !hook.getName().startsWith("lockstep"));
        assertThat(brought).hasSize(1);
        memory.close();
        assertThat(shutdownHooks()).doesNotContainAnyElementsOf(brought);
    }

    /**
     * The JVM's shutdown hooks, which have no public accessor: one that stays keeps its class
     * loader alive.
     */
    @SuppressWarnings("unchecked")
    private static Set<Thread> shutdownHooks() throws ReflectiveOperationException {
        Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        hooks.setAccessible(true);
        return new HashSet<>(((Map<Thread, Thread>) hooks.get(null)).keySet());
    }

    @Test
    void serversOfOneProcessLeaveEachOtherAlone() throws Exception {
        try (SharedMemory first = SharedMemory.open(directory, "first", 1)) {
            try (SharedMemory second = SharedMemory.open(directory, "second", 1)) {
                assertThat(files()).contains(first.probe(), second.probe());
            }
            // Another process still sees the lock of the first.
            hold().destroyForcibly().waitFor();
            assertThat(first.probe()).exists();
        }
    }
}
