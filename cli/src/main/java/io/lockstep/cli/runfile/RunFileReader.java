package io.lockstep.cli.runfile;

import io.lockstep.WrongUseException;
import io.lockstep.audit.DigestRetention;
import io.lockstep.filter.RowSelection;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;

/** Parses and validates a run file. */
@PublicEvolving
public final class RunFileReader {

    /** Parsing takes time that grows with the square of the length of a line. */
    private static final int MAX_BYTES = 1 << 20;

    private final Path path;
    private final String file;

    private RunFileReader(Path path) {
        this.path = path;
        this.file = path.toString();
    }

    /**
     * Reads a run file; paths in it become absolute.
     *
     * @throws RunFileException if it is invalid, with the offending line
     */
    public static RunFile read(Path path) {
        if (Files.isDirectory(path)) {
            throw new RunFileException(
                    path + " is a directory and no run file; a dataset is named by --data.");
        }
        try {
            return parse(path, text(path));
        } catch (NoSuchFileException e) {
            throw new RunFileException("There is no run file " + path + ".");
        } catch (CharacterCodingException e) {
            throw new RunFileException(
                    "The run file " + path + " is not UTF-8 text; save it as UTF-8.");
        } catch (AccessDeniedException e) {
            throw new RunFileException(
                    "The run file "
                            + path
                            + " cannot be read by the user "
                            + System.getProperty("user.name")
                            + "; grant it read permission.");
        } catch (IOException e) {
            throw new RunFileException("The run file " + path + " cannot be read: " + e);
        }
    }

    /** Reads no more than a run file may have: the file may be anything, even an endless device. */
    private static String text(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new RunFileException(
                        path
                                + " has more than 1 MiB and is no run file; a dataset is named by"
                                + " --data.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    /**
     * Reads the text of a run file.
     *
     * @param path names the file in messages; relative paths start from its directory
     */
    public static RunFile parse(Path path, String text) {
        return new RunFileReader(path).run(YamlTree.parse(path.toString(), text));
    }

    private RunFile run(Node document) {
        SectionReader root = SectionReader.root(file, document, Schema.ROOT);
        List<StreamSpec> streams = new ArrayList<>();
        Map<String, SectionReader> sections = root.named(Schema.STREAMS, Schema.STREAM);
        RowsReader rows = new RowsReader(sections);
        SharedTransforms shared = new SharedTransforms(sections);
        sections.forEach((name, section) -> streams.add(stream(name, section, rows, shared)));
        SectionReader run = root.section(Schema.RUN);
        SectionReader trainers = root.section(Schema.TRAINERS);
        String directory = run.get(Schema.DIRECTORY, null);
        RunFile read =
                new RunFile(
                        name(),
                        shared.applyTo(
                                new PythonReader(root.section(Schema.PYTHON), base())
                                        .applyTo(streams)),
                        trainers(trainers),
                        directory == null ? null : absolute(run, directory),
                        run.get(Schema.CHECKPOINT_INTERVAL, RunFile.DEFAULT_CHECKPOINT_INTERVAL),
                        run.get(Schema.DIGESTS, DigestRetention.KEEP),
                        root.section(Schema.HAND_OFF).get(Schema.BIND, null),
                        root.section(Schema.HAND_OFF).get(Schema.PORTS, PortRange.any()),
                        tls(root.section(Schema.SECURITY).section(Schema.TLS)),
                        cache(root.section(Schema.CACHE)),
                        reader(root.section(Schema.READER)));
        try {
            read.checkRanks();
        } catch (IllegalArgumentException e) {
            throw trainers.fault(e.getMessage());
        }
        return read;
    }

    private StreamSpec stream(
            String name, SectionReader section, RowsReader reader, SharedTransforms shared) {
        SectionReader source = reader.source(name);
        SectionReader like = shared.source(name);
        List<String> data =
                source.require(Schema.DATA).stream().map(path -> absolute(source, path)).toList();
        List<String> columns =
                section.get(
                        Schema.COLUMNS,
                        like.get(Schema.COLUMNS, source.get(Schema.COLUMNS, List.of())));
        SectionReader schema = source.section(Schema.SCHEMA);
        SchemaRules rules =
                new SchemaRules(
                        schema.get(Schema.MISSING, false),
                        schema.get(Schema.WIDEN, false),
                        source.get(Schema.PARTITIONS, Map.of()));
        List<TransformSpec> transforms =
                new TransformReader(file, "streams." + name)
                        .read(section.get(Schema.TRANSFORMS, List.of()));
        RowSelection rows = reader.rows(name);
        SectionReader order = section.section(Schema.ORDER);
        OrderSettings settings = settings(order);
        int epochs = order.get(Schema.EPOCHS, 1);
        try {
            return new StreamSpec(
                    name, data, columns, settings, epochs, rules, transforms, rows, null);
        } catch (WrongUseException e) {
            throw section.fault(e.getMessage());
        }
    }

    private OrderSettings settings(SectionReader order) {
        int batch = order.require(Schema.BATCH);
        int lanes = order.get(Schema.LANES, OrderSettings.defaultLanes(batch));
        try {
            return new OrderSettings(
                    order.get(Schema.SEED, 0L),
                    lanes,
                    batch,
                    order.get(Schema.WINDOW, OrderSettings.defaultWindow(lanes)),
                    order.get(Schema.SHUFFLE, Shuffle.LANE),
                    order.get(Schema.TAIL, Tail.DROP));
        } catch (IllegalArgumentException e) {
            throw order.fault(e.getMessage());
        }
    }

    private RunFile.Trainers trainers(SectionReader trainers) {
        return new RunFile.Trainers(
                trainers.get(Schema.RANKS, 1),
                trainers.get(Schema.COMMAND, List.of()),
                base(),
                trainers.get(Schema.RESTARTS, 0));
    }

    private TlsFiles tls(SectionReader tls) {
        String certificate = tls.get(Schema.CERTIFICATE, null);
        String key = tls.get(Schema.TLS_KEY, null);
        String ca = tls.get(Schema.CA, null);
        if (certificate == null && key == null && ca == null) {
            return null;
        }
        return new TlsFiles(
                local(tls.require(Schema.CERTIFICATE)),
                local(tls.require(Schema.TLS_KEY)),
                ca == null ? null : local(ca));
    }

    private String local(String written) {
        return base().resolve(Paths.expand(written)).toString();
    }

    private CacheSettings cache(SectionReader cache) {
        CacheSettings standard = CacheSettings.defaults();
        String directory = cache.get(Schema.CACHE_DIRECTORY, null);
        return new CacheSettings(
                directory == null ? standard.directory() : local(directory),
                cache.get(Schema.SIZE, standard.size()));
    }

    private static ReaderSettings reader(SectionReader reader) {
        ReaderSettings standard = ReaderSettings.defaults();
        return new ReaderSettings(
                reader.get(Schema.STEP_MEMORY, standard.stepBytes()),
                reader.get(Schema.THREADS, standard.threads()));
    }

    /** The directory that relative paths start from. */
    private Path base() {
        return path.toAbsolutePath().normalize().getParent();
    }

    private String absolute(SectionReader section, String written) {
        try {
            return Paths.absolute(base(), written);
        } catch (IllegalArgumentException e) {
            throw section.fault(e.getMessage());
        }
    }

    /** The file's name without its extension. */
    private String name() {
        String name = path.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
