package io.lockstep.cache;

/** Thrown if the store refuses a row group; the message says why and what to change. */
public class CacheException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CacheException(String message) {
        super(message);
    }

    CacheException(String message, Throwable cause) {
        super(message, cause);
    }
}
