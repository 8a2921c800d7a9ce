package io.lockstep.cache;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/**
 * Releases mapped or direct memory immediately, so that the space of a deleted file is freed
 * without a garbage collection.
 *
 * <p>{@code sun.misc.Unsafe.invokeCleaner} is the one supported way in Java 17; by reflection,
 * since the class is outside the Java SE interface.
 */
public final class Unmapper {

    private static final Object UNSAFE;
    private static final Method INVOKE_CLEANER;

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            UNSAFE = instance.get(null);
            INVOKE_CLEANER = type.getMethod("invokeCleaner", ByteBuffer.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Unmapper() {}

    /**
     * Frees the buffer's memory. Using the buffer or a slice of it afterwards crashes the process.
     *
     * @param buffer as it was mapped or allocated, not a part of it
     */
    public static void unmap(ByteBuffer buffer) {
        try {
            INVOKE_CLEANER.invoke(UNSAFE, buffer);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Memory could not be unmapped.", e);
        }
    }
}
