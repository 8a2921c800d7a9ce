package io.lockstep.run;

import io.lockstep.AtomicFile;
import io.lockstep.UserException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.core.fs.Path;

/**
 * The file {@code token} of a run directory. On local disks it is created readable by its owner
 * only; elsewhere the store's access policy must protect it.
 */
final class TokenFile {

    private final Path file;

    TokenFile(String root) {
        file = new Path(root, "token");
    }

    /**
     * The token; empty if the file does not exist.
     *
     * @throws UserException if the content is not a token or this user may not read the file
     */
    Optional<RunToken> read() throws IOException {
        try {
            String text = new String(AtomicFile.read(file), StandardCharsets.UTF_8);
            return Optional.of(RunToken.parse(text, "the file " + file));
        } catch (FileNotFoundException e) {
            if (!isLocal() || !Files.exists(local())) {
                return Optional.empty();
            }
            if (!Files.isReadable(local())) {
                throw notReadable(e);
            }
            // Another process has created it since.
            return read();
        } catch (AccessDeniedException e) {
            throw notReadable(e);
        }
    }

    private UserException notReadable(IOException cause) {
        return new UserException(
                "the file "
                        + file
                        + " cannot be read by this user: run the command as the user who started"
                        + " the job, or set "
                        + RunToken.VARIABLE
                        + " or "
                        + RunToken.FILE_VARIABLE,
                cause);
    }

    /** The token; the first call creates it. Safe for concurrent processes on local disks. */
    RunToken obtain() throws IOException {
        Optional<RunToken> present = read();
        if (present.isPresent()) {
            return present.get();
        }
        RunToken token = RunToken.random();
        if (!isLocal()) {
            AtomicFile.write(file, token.content());
            return token;
        }
        return writeLocal(token) ? token : read().orElseThrow();
    }

    private boolean isLocal() throws IOException {
        return "file".equals(file.getFileSystem().getUri().getScheme());
    }

    private java.nio.file.Path local() {
        return java.nio.file.Path.of(file.getPath()).toAbsolutePath();
    }

    /** Returns whether the file contains this token; another process may have created it first. */
    private boolean writeLocal(RunToken token) throws IOException {
        java.nio.file.Path target = local();
        java.nio.file.Path directory = Files.createDirectories(target.getParent());
        java.nio.file.Path aside = directory.resolve(".token." + UUID.randomUUID());
        try {
            try (FileChannel out =
                    FileChannel.open(
                            aside,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            ownerOnly())) {
                out.write(ByteBuffer.wrap(token.content()));
                out.force(true);
            }
            // Unlike a move, a link never replaces the token of another process.
            Files.createLink(target, aside);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (FileSystemException | UnsupportedOperationException e) {
            // The file system has no hard links.
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
