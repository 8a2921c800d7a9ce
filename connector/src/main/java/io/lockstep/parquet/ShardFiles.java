package io.lockstep.parquet;

import io.lockstep.RemoteCalls;
import io.lockstep.UserException;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.footer.FileRowGroup;
import io.lockstep.footer.FileSchema;
import io.lockstep.footer.Footer;
import io.lockstep.footer.FooterReader;
import io.lockstep.footer.SchemaText;
import io.lockstep.manifest.FileIdentity;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Shard;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the footers of shards and rejects shards that differ from the planned version. Every check
 * compares length and modification time. The first check also compares the footer and the end of
 * the file, as does every check that finds a different local file than the last one. Thread-safe.
 */
final class ShardFiles {

    private static final Logger LOG = LoggerFactory.getLogger(ShardFiles.class);

    private static final int SHOWN_DIGITS = 12;

    private final Manifest manifest;
    private final Schema schema;
    private final Map<SchemaText, FileSchema> schemas = new ConcurrentHashMap<>();
    private final ShardFile[] files;
    private final Object[] locks;
    private final AtomicBoolean warned = new AtomicBoolean();

    ShardFiles(Manifest manifest, Schema schema) {
        this.manifest = manifest;
        this.schema = schema;
        this.files = new ShardFile[manifest.shards().size()];
        this.locks = new Object[files.length];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    /**
     * @throws UserException if the file no longer exists or has changed
     */
    ShardFile check(int index) throws IOException {
        Shard shard = manifest.shards().get(index);
        Path path = new Path(shard.location());
        FileSystem fileSystem = path.getFileSystem();
        FileStatus status = status(fileSystem, path);
        if (status.getLen() != shard.length()
                || status.getModificationTime() != shard.modificationTime()) {
            throw changed(shard, status, "");
        }
        synchronized (locks[index]) {
            ShardFile known = files[index];
            FileIdentity now = FileIdentity.of(fileSystem, path);
            if (known == null || !Objects.equals(now, known.identity())) {
                Footer footer = FooterReader.read(fileSystem, path, shard.length());
                if (!footer.sha256().equals(shard.footerSha256())) {
                    throw changed(shard, status, footer.sha256());
                }
                if (shard.tail() != null && !footer.tail().equals(shard.tail())) {
                    throw otherData(shard);
                }
                warnIfReplaced(shard, known == null ? shard.identity() : known.identity(), now);
                files[index] = file(now, footer);
            }
            return files[index];
        }
    }

    private void warnIfReplaced(Shard shard, FileIdentity before, FileIdentity now) {
        if (before != null
                && now != null
                && !now.sameContentAs(before)
                && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} was copied, replaced or given other attributes since it was planned; its"
                            + " length, modification time and footer are still the planned ones, so it"
                            + " is read on. Other files of this dataset are not reported.",
                    shard.location());
        }
    }

    private ShardFile file(FileIdentity identity, Footer footer) {
        FileSchema columns = schemas.computeIfAbsent(footer.schemaText(), text -> footer.schema());
        Map<String, FileColumn> byName = new HashMap<>();
        columns.columns().forEach(c -> byName.put(c.name(), c));
        List<FileColumn> chosen = new ArrayList<>();
        for (Field field : schema.getFields()) {
            chosen.add(byName.get(field.getName()));
        }
        List<List<ColumnChunk>> chunks = new ArrayList<>();
        for (FileRowGroup group : footer.rowGroups()) {
            chunks.add(chunks(chosen, group));
        }
        return new ShardFile(identity, chosen, chunks);
    }

    /** The chunks of the columns that the file has. */
    private static List<ColumnChunk> chunks(List<FileColumn> columns, FileRowGroup group) {
        return columns.stream()
                .filter(Objects::nonNull)
                .map(column -> group.chunks().get(column.leaf()))
                .toList();
    }

    private static FileStatus status(FileSystem fileSystem, Path path) throws IOException {
        try {
            return RemoteCalls.call(path, () -> fileSystem.getFileStatus(path));
        } catch (FileNotFoundException e) {
            throw new UserException(
                    path
                            + " was there when the data was planned, and is gone; put it back, or"
                            + " start a new run.",
                    e);
        }
    }

    private static UserException otherData(Shard shard) {
        return new UserException(
                shard.location()
                        + " was replaced after planning by a file of the same length, modification"
                        + " time and footer, but with other data; put the planned file back, or start"
                        + " a new run.");
    }

    private static UserException changed(Shard shard, FileStatus now, String footerNow) {
        return new UserException(
                shard.location()
                        + " was rewritten after planning: planned with "
                        + version(shard.length(), shard.modificationTime(), shard.footerSha256())
                        + ", now there is "
                        + version(now.getLen(), now.getModificationTime(), footerNow)
                        + (now.getLen() == shard.length() && footerNow.isEmpty()
                                ? "; where it is a mere copy, give it the planned time (touch -d "
                                        + Instant.ofEpochMilli(shard.modificationTime())
                                        + "), else put the planned file back, or start a new run."
                                : "; put the planned file back, or start a new run."));
    }

    private static String version(long length, long modificationTime, String footer) {
        String time = Instant.ofEpochMilli(modificationTime).toString();
        String digest =
                footer.isEmpty() ? "" : ", footer " + footer.substring(0, SHOWN_DIGITS) + "...";
        return length + " bytes of " + time + digest;
    }
}
