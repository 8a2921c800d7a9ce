package io.lockstep.audit;

import io.lockstep.AtomicFile;
import io.lockstep.run.RunDirectory;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The archive's files: {@code digests/STREAM/RANGE_NAME.digests}, and {@code
 * digests/STREAM/EPOCH/NAME.digests} of format 1.
 *
 * <p>A file is written under a temporary name, renamed to a unique name, and never changed. So on
 * any file system a reader sees a complete file or none, and no crash can destroy existing records.
 */
final class DigestFiles {

    private final Path root;

    DigestFiles(RunDirectory run) {
        this.root = new Path(run.root(), "digests");
    }

    /**
     * A file, or a folder of files of format 1.
     *
     * @param first the first step that it may contain
     * @param last the last step
     * @param folder whether it is a folder of format 1
     */
    record Entry(Path path, StepKey first, StepKey last, boolean folder) {

        boolean overlaps(StepKey from, StepKey end) {
            return first.isBefore(end) && !last.isBefore(from);
        }
    }

    Path root() {
        return root;
    }

    List<String> streams() throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus folder : list(root)) {
            String name = folder.getPath().getName();
            if (folder.isDir() && !name.startsWith(".")) {
                names.add(name);
            }
        }
        names.sort(null);
        return names;
    }

    /** The files and folders of a stream, in no particular order. */
    List<Entry> entries(String stream) throws IOException {
        List<Entry> entries = new ArrayList<>();
        Path directory = new Path(root, stream);
        for (FileStatus file : list(directory)) {
            String name = file.getPath().getName();
            Path path = new Path(directory, name);
            if (file.isDir() && name.matches("\\d{1,18}")) {
                long epoch = Long.parseLong(name);
                entries.add(
                        new Entry(
                                path,
                                new StepKey(epoch, 0),
                                new StepKey(epoch, Long.MAX_VALUE),
                                true));
            } else {
                SegmentName.parse(name).map(parsed -> entry(path, parsed)).ifPresent(entries::add);
            }
        }
        return entries;
    }

    private static Entry entry(Path path, SegmentName name) {
        return new Entry(path, name.first(), name.last(), false);
    }

    /** The files of a folder of format 1, in no particular order. */
    static List<Entry> open(Entry folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (FileStatus file : list(folder.path())) {
            Path path = new Path(folder.path(), file.getPath().getName());
            if (SegmentName.isFormat1(path.getName())) {
                readRange(path, folder.first().epoch()).ifPresent(entries::add);
            }
        }
        return entries;
    }

    private static Optional<Entry> readRange(Path file, long epoch) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getFileSystem().open(file))) {
            StepKey[] range = SegmentFormat1.readRange(in, epoch, file.toString());
            return Optional.of(new Entry(file, range[0], range[1], false));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (EOFException e) {
            throw Checksum.damaged(file.toString());
        }
    }

    /** The content of a file; empty if the file has been replaced since it was listed. */
    static Optional<DigestSegment> read(Path file) throws IOException {
        byte[] content;
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            content = in.readAllBytes();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        if (content.length < Long.BYTES) {
            throw Checksum.damaged(file.toString());
        }
        return Optional.of(
                ByteBuffer.wrap(content).getLong() == SegmentFormat1.MAGIC
                        ? SegmentFormat1.decode(content, file.toString())
                        : SegmentFormat2.decode(content, file.toString()));
    }

    /** The index of a file of format 2; empty if the file has been replaced. */
    static Optional<SegmentIndex> readIndex(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getFileSystem().open(file))) {
            return Optional.of(SegmentFormat2.readIndex(in, file.toString()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Writes a new file.
     *
     * @param unique unique in this run
     */
    Path write(DigestSegment segment, String unique) throws IOException {
        Path file =
                new Path(
                        new Path(root, segment.stream()),
                        SegmentName.of(segment, unique).toString());
        AtomicFile.write(file, SegmentFormat2.encode(segment));
        return file;
    }

    /** Deletes a file, or a folder with its files. */
    static void delete(Path path) throws IOException {
        path.getFileSystem().delete(path, true);
    }

    /** A missing directory counts as empty; some file systems return null for it. */
    private static FileStatus[] list(Path directory) throws IOException {
        try {
            FileStatus[] files = directory.getFileSystem().listStatus(directory);
            return files == null ? new FileStatus[0] : files;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }
}
