package io.lockstep.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Loads the library in separate class loaders, like the jobs of one TaskManager. */
@EnabledOnOs(OS.LINUX)
class NativeHashTest {

    private static final String[] CLASS_PATH =
            System.getProperty("java.class.path").split(File.pathSeparator);

    @TempDir private Path directory;

    @Test
    void severalJobsOfOneProcessHaveItEach() throws Exception {
        for (int job = 0; job < 2; job++) {
            try (URLClassLoader loader = loader()) {
                Class<?> hash = loader.loadClass(NativeHash.class.getName());
                call(hash.getDeclaredMethod("load"));
                Object fastest = call(hash.getDeclaredMethod("fastest"));
                assertThat(fastest.getClass().getName()).isEqualTo(NativeLaneHash.class.getName());
                assertThat(fastest).isNotInstanceOf(NativeLaneHash.class);
            }
        }
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            assertThat(maps.filter(line -> line.contains("lockstep-xxhash-")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith("(deleted)"), "needs no file any more");
        }
    }

    @Test
    void leavesNothingElsewhereWhereItCannotBeLoaded() throws Exception {
        Path noDirectory = Files.createFile(directory.resolve("file"));
        try (URLClassLoader loader = loader()) {
            Class<?> hash = loader.loadClass(NativeHash.class.getName());
            Method loadFrom = hash.getDeclaredMethod("loadFrom", Path.class);
            assertThatThrownBy(() -> call(loadFrom, noDirectory)).isInstanceOf(LinkageError.class);
            assertThat(call(hash.getDeclaredMethod("fastest")).getClass().getName())
                    .isEqualTo(JavaLaneHash.class.getName());
        }
        for (String place : new String[] {"user.dir", "user.home"}) {
            assertThat(Path.of(System.getProperty(place), ".lwjgl")).doesNotExist();
        }
    }

    /** Shares only the JDK with the tests. */
    private static URLClassLoader loader() {
        URL[] urls = Stream.of(CLASS_PATH).map(NativeHashTest::url).toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    private static Object call(Method method, Object... arguments) throws Exception {
        method.setAccessible(true);
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
