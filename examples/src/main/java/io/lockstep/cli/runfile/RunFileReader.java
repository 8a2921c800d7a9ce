package io.lockstep.cli.runfile;

import io.lockstep.UserException;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads and checks a run file. */
public final class RunFileReader {

    private final String file;
    private final Path base;

    private RunFileReader(Path path) {
        this.file = path.toString();
        this.base = path.toAbsolutePath().normalize().getParent();
    }

    /**
     * Reads a run file; paths in it become absolute.
     *
     * @throws RunFileException where it cannot be used, with the line that is at fault
     */
    public static RunFile read(Path path) {
        return new RunFileReader(path).run(YamlTree.read(path));
    }

    private RunFile run(Node document) {
        SectionReader root = SectionReader.root(file, document, Schema.ROOT);
        List<StreamSpec> streams = new ArrayList<>();
        root.named(Schema.STREAMS, Schema.STREAM)
                .forEach((name, section) -> streams.add(stream(name, section)));
        SectionReader run = root.section(Schema.RUN);
        String directory = run.get(Schema.DIRECTORY, null);
        return new RunFile(
                name(),
                streams,
                trainers(root.section(Schema.TRAINERS)),
                directory == null ? null : absolute(directory),
                run.get(Schema.CHECKPOINT_INTERVAL, RunFile.DEFAULT_CHECKPOINT_INTERVAL),
                cache(root.section(Schema.CACHE)));
    }

    private StreamSpec stream(String name, SectionReader section) {
        List<String> data = section.require(Schema.DATA).stream().map(this::absolute).toList();
        List<String> columns = section.get(Schema.COLUMNS, List.of());
        SectionReader order = section.section(Schema.ORDER);
        OrderSettings settings = settings(order);
        int epochs = order.get(Schema.EPOCHS, 1);
        try {
            return new StreamSpec(name, data, columns, settings, epochs);
        } catch (UserException e) {
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
                base,
                trainers.get(Schema.RESTARTS, 0));
    }

    private CacheSettings cache(SectionReader cache) {
        CacheSettings standard = CacheSettings.defaults();
        String directory = cache.get(Schema.CACHE_DIRECTORY, null);
        return new CacheSettings(
                directory == null ? standard.directory() : base.resolve(directory).toString(),
                cache.get(Schema.SIZE, standard.size()));
    }

    private String absolute(String path) {
        return Paths.absolute(base, path);
    }

    /** The file's name without its ending. */
    private String name() {
        String name = Path.of(file).getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
