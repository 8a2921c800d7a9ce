package io.lockstep.cache;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * When a file was last changed: its bytes, its length or its attributes, through the file system.
 *
 * @param time as the file system has it
 */
record ChangeTime(FileTime time) {

    /** The file was deleted. */
    static final ChangeTime DELETED = new ChangeTime(FileTime.from(Instant.MIN));

    /** More than a tick of the clock from which file systems take their times. */
    private static final Duration TICK = Duration.ofMillis(100);

    private static final String ATTRIBUTE =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
                    ? "unix:ctime"
                    : "lastModifiedTime";

    static ChangeTime of(Path file) throws IOException {
        try {
            // Unlike the time of modification, this one cannot be set by a program.
            return new ChangeTime((FileTime) Files.getAttribute(file, ATTRIBUTE));
        } catch (NoSuchFileException e) {
            return DELETED;
        }
    }

    /** Whether a change that happens now would get another time. */
    boolean isPast() {
        return time.toInstant().plus(TICK).isBefore(Instant.now());
    }
}
