package io.lockstep.audit;

import io.lockstep.AtomicFile;
import io.lockstep.run.RunDirectory;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The archive's files: {@code digests/STREAM/EPOCH/NAME.digests}.
 *
 * <p>A file is written aside, then renamed to a name that was never used, and never changed: so a
 * reader sees all of it or nothing on any file system, and no crash can take away what was there.
 */
final class DigestFiles {

    private static final String ENDING = ".digests";

    private final Path root;

    DigestFiles(RunDirectory run) {
        this.root = new Path(run.root(), "digests");
    }

    List<String> streams() throws IOException {
        return names(root).sorted().toList();
    }

    List<Long> epochs(String stream) throws IOException {
        return names(new Path(root, stream))
                .filter(name -> name.chars().allMatch(Character::isDigit))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    List<Path> segments(String stream, long epoch) throws IOException {
        Path directory = directory(stream, epoch);
        return names(directory)
                .filter(name -> name.endsWith(ENDING) && !name.startsWith("."))
                .sorted()
                .map(name -> new Path(directory, name))
                .toList();
    }

    /** The content of a file, or nothing where it has been replaced since it was listed. */
    static Optional<DigestSegment> read(Path file) throws IOException {
        byte[] content;
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            content = in.readAllBytes();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        return Optional.of(DigestSegment.decode(content, file.toString()));
    }

    /** The steps that a file is about, or nothing where it has been replaced. */
    static Optional<StepRange> readRange(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getFileSystem().open(file))) {
            return Optional.of(DigestSegment.readRange(in, file.toString()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (EOFException e) {
            throw DigestSegment.damaged(file.toString());
        }
    }

    /**
     * Writes a new file.
     *
     * @param name never used before in this run
     */
    Path write(DigestSegment segment, String name) throws IOException {
        Path file = new Path(directory(segment.stream(), segment.epoch()), name + ENDING);
        AtomicFile.write(file, segment.encode());
        return file;
    }

    static void delete(Path file) throws IOException {
        file.getFileSystem().delete(file, false);
    }

    /** Deletes all that is recorded of an epoch. */
    void deleteEpoch(String stream, long epoch) throws IOException {
        Path directory = directory(stream, epoch);
        directory.getFileSystem().delete(directory, true);
    }

    private Path directory(String stream, long epoch) {
        return new Path(root, stream + "/" + epoch);
    }

    /** A directory that is not there has nothing in it; some file systems say null. */
    private static Stream<String> names(Path directory) throws IOException {
        FileStatus[] files;
        try {
            files = directory.getFileSystem().listStatus(directory);
        } catch (FileNotFoundException e) {
            files = null;
        }
        List<String> names = new ArrayList<>();
        for (FileStatus file : files == null ? new FileStatus[0] : files) {
            names.add(file.getPath().getName());
        }
        return names.stream();
    }
}
