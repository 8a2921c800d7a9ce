package io.lockstep.cli.runfile;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.manifest.PartitionType;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All keys of the run file with their types and defaults; the reader and the reference use it. */
final class Schema {

    static final Key<List<String>> DATA =
            new Key<>(
                    "data",
                    ValueType.PATHS,
                    "required without `from`",
                    "Directories (read recursively), globs or Parquet files. A path without a scheme"
                            + " is relative to the run file; `~` and `$HOME` at its start are the"
                            + " home directory, here and in other paths.");

    static final Key<List<String>> COLUMNS =
            new Key<>(
                    "columns",
                    ValueType.NAMES,
                    "all columns",
                    "The columns to read, in this order. A name that no column has is a pattern, in"
                            + " which `*` stands for any characters, or a path into structs such as"
                            + " `image.bytes`, which Lockstep refuses. `\\` before `.`, `,` or `*` takes"
                            + " that meaning away.");

    static final Key<Boolean> MISSING =
            new Key<>(
                    "missing",
                    ValueType.REFUSE_OR_NULL,
                    "refuse",
                    "What to do with a selected column that some files lack: `refuse` it, or read"
                            + " `null` there.");

    static final Key<Boolean> WIDEN =
            new Key<>(
                    "widen",
                    ValueType.SWITCH,
                    "false",
                    "Whether to read a column as the widest of its types in the files: a larger"
                            + " integer that holds all values, float64 for float32, or the finest unit"
                            + " of timestamps; lists widen by their elements. Otherwise it is"
                            + " refused.");

    static final Key<Map<String, PartitionType>> PARTITIONS =
            new Key<>(
                    "partitions",
                    ValueType.PARTITIONS,
                    "int64 if all values are written so, else string",
                    "The types of columns from folders named `name=value`, such as `{year: int32}`.");

    static final Key<String> FILTER =
            new Key<>(
                    "filter",
                    ValueType.CONDITION,
                    "all rows",
                    "The rows to keep: a condition over the columns of the dataset, such as"
                            + " `age is not null and fare < 500`; see [expressions](expressions.md)."
                            + " Its columns need not be among `columns`. Sample ids stay those of the"
                            + " whole dataset.");

    static final Key<Map<String, String>> SPLIT =
            new Key<>(
                    "split",
                    ValueType.SHARES,
                    "none",
                    "The parts of the stream's rows that other streams take, with their shares:"
                            + " `10%`, `0.1` or `1/10`. The rest is the stream itself. With `by`,"
                            + " rows with the same value of a column are in the same part. Which"
                            + " part a row is in depends on `order.seed` and its sample id, or that"
                            + " value; see [splits](expressions.md#splits).");

    static final Key<String> FROM =
            new Key<>(
                    "from",
                    ValueType.STREAM_NAME,
                    "none",
                    "Another stream, of whose `split` this stream takes the part of its own name. It"
                            + " has `data`, `partitions`, `schema` and `filter` from there, and"
                            + " `columns` if it names none.");

    static final Key<List<Node>> TRANSFORMS =
            new Key<>(
                    "transforms",
                    ValueType.ITEMS,
                    "none",
                    "What the task managers do with the rows of each row group before they cache"
                            + " them, in this order: see [transforms](transforms.md).");

    static final Key<String> LIKE =
            new Key<>(
                    "like",
                    ValueType.STREAM_NAME,
                    "none",
                    "Another stream, whose transforms this stream has, with the statistics of that"
                            + " stream's rows and without its random transforms. It has `columns`"
                            + " from there if it names none.");

    static final Key<Integer> BATCH =
            new Key<>(
                    "batch",
                    ValueType.POSITIVE,
                    "required",
                    "The global batch: samples per step over all ranks. A multiple of"
                            + " `lanes`.");

    static final Key<Integer> LANES =
            new Key<>(
                    "lanes",
                    ValueType.POSITIVE,
                    "the largest divisor of `batch` up to 64",
                    "The number of independent queues of the order. A world size must divide it.");

    static final Key<Integer> WINDOW =
            new Key<>(
                    "window",
                    ValueType.POSITIVE,
                    "the least with `lanes` x `window` >= 128",
                    "How many row groups of a lane are shuffled together, row by row.");

    static final Key<Long> SEED =
            new Key<>("seed", ValueType.SEED, "0", "The seed of the shuffle.");

    static final Key<Shuffle> SHUFFLE =
            new Key<>(
                    "shuffle",
                    ValueType.SHUFFLE,
                    "lane",
                    "`lane`: each lane keeps its row groups and reshuffles them in every epoch;"
                            + " `global`: row groups are reassigned to the lanes in every epoch;"
                            + " `none`: no shuffle within a lane; a batch holds rows of every lane,"
                            + " from as many places of the dataset; `sequential`: each global batch"
                            + " holds consecutive rows of the dataset, in every epoch; every lane then"
                            + " reads every row group.");

    static final Key<Tail> TAIL =
            new Key<>(
                    "tail",
                    ValueType.TAIL,
                    "drop",
                    "What to do with an incomplete last step: `drop` it, or `pad` it with repeated"
                            + " samples of weight 0.");

    static final Key<Integer> EPOCHS =
            new Key<>("epochs", ValueType.POSITIVE, "1", "The number of passes over the stream.");

    static final Key<Integer> RANKS =
            new Key<>(
                    "ranks",
                    ValueType.POSITIVE,
                    "1",
                    "The number of trainer processes (the world size).");

    static final Key<List<String>> COMMAND =
            new Key<>(
                    "command",
                    ValueType.WORDS,
                    "none; required by `run`",
                    "The command that starts one trainer, in the directory of the run file.");

    static final Key<Integer> RESTARTS =
            new Key<>(
                    "restarts",
                    ValueType.COUNT,
                    "0",
                    "How often to restart all trainers after one of them fails.");

    static final Key<String> DIRECTORY =
            new Key<>(
                    "directory",
                    ValueType.PATH,
                    "`runs/<name>-<time>` in the working directory",
                    "The run directory. On several hosts, a directory that all of them can access."
                            + " A path without a scheme is relative to the run file.");

    static final Key<Duration> CHECKPOINT_INTERVAL =
            new Key<>(
                    "checkpoint-interval",
                    ValueType.INTERVAL,
                    "5min",
                    "The interval of Flink checkpoints. They hold no position: positions are in the"
                            + " trainers' states and in the run directory.");

    static final Key<DigestRetention> DIGESTS =
            new Key<>(
                    "digests",
                    ValueType.RETENTION,
                    "keep",
                    "How long to keep the digests that prove what was served and consumed: `keep` them"
                            + " all, a number of epochs before the current one, or `off` for"
                            + " none. They take 32 bytes per lane"
                            + " of a step.");

    static final Key<String> BIND =
            new Key<>(
                    "bind",
                    ValueType.ADDRESS,
                    "that of the task manager, `taskmanager.bind-host`, else all; `127.0.0.1` with"
                            + " an embedded Flink",
                    "The address at which each task's server listens: an IP address of its host, a"
                            + " name that every host resolves to its own, or `0.0.0.0` for all"
                            + " addresses.");

    static final Key<PortRange> PORTS =
            new Key<>(
                    "ports",
                    ValueType.PORTS,
                    "any free port",
                    "The port or range of ports on which the job serves the trainers. Each task takes"
                            + " the first free port on its host, so a range needs one port per slot"
                            + " of a host.");

    static final Key<String> CACHE_DIRECTORY =
            new Key<>(
                    "directory",
                    ValueType.PATH,
                    "`lockstep-cache-USER` in the temporary directory",
                    "A directory on a local disk, ideally NVMe, for decoded row groups. The same path"
                            + " on every host; relative to the run file.");

    static final Key<Long> SIZE =
            new Key<>(
                    "size",
                    ValueType.SIZE,
                    "half of the free disk space at the start",
                    "The maximum size of the cache of one process.");

    static final Key<Long> STEP_MEMORY =
            new Key<>(
                    "step-memory",
                    ValueType.SIZE,
                    "256MiB",
                    "The memory of one reader for prefetched steps; at least one step of each of its"
                            + " lanes must fit.");

    static final Key<Integer> THREADS =
            new Key<>(
                    "threads",
                    ValueType.POSITIVE,
                    "the cores divided by the readers of a task manager",
                    "The number of threads of one reader that decode row groups and gather steps.");

    static final Key<String> CERTIFICATE =
            new Key<>(
                    "certificate",
                    ValueType.PATH,
                    "required with `tls`",
                    "The servers' certificate chain as PEM, for the name of their host. The same path"
                            + " on every host; relative to the run file.");

    static final Key<String> TLS_KEY =
            new Key<>(
                    "key",
                    ValueType.PATH,
                    "required with `tls`",
                    "The private key of the certificate as PEM (PKCS 8), readable by the task"
                            + " manager's user.");

    static final Key<String> CA =
            new Key<>(
                    "ca",
                    ValueType.PATH,
                    "the certificates of the system",
                    "The certificates as PEM by which trainers verify the servers. Where their hosts"
                            + " have them elsewhere, set `LOCKSTEP_TLS_CA`.");

    static final Key<String> PYTHON_COMMAND =
            new Key<>(
                    "command",
                    ValueType.PATH,
                    "`LOCKSTEP_PYTHON`, else `python`",
                    "The interpreter that runs the functions, with the package lockstep: a name on the"
                            + " PATH, or a path, relative to the run file. The same on every host.");

    static final Key<Integer> WORKERS =
            new Key<>(
                    "workers",
                    ValueType.POSITIVE,
                    "the number of cores",
                    "The most worker processes of one task manager.");

    static final Key<Duration> TIMEOUT =
            new Key<>(
                    "timeout",
                    ValueType.INTERVAL,
                    "10min",
                    "How long a function may take for the rows of one row group. After that its worker"
                            + " is killed, and another one does the work again.");

    static final Key<Long> MEMORY =
            new Key<>(
                    "memory",
                    ValueType.SIZE,
                    "no limit",
                    "The most address space of one worker; beyond it, Python raises MemoryError.");

    static final Key<List<String>> FILES =
            new Key<>(
                    "files",
                    ValueType.PATHS,
                    "none",
                    "Source files and folders that the functions import, relative to the run file. They"
                            + " travel with the job, at most 1 MiB. The module of a function that"
                            + " stands beside the run file need not be named.");

    static final Key<Map<String, String>> CODE =
            new Key<>(
                    "code",
                    ValueType.TEXTS,
                    "read from the files",
                    "The text of these files by name. A run directory records it, so that a replay runs"
                            + " the same functions.");

    static final Section PYTHON =
            new Section(
                    "python",
                    List.of(PYTHON_COMMAND, WORKERS, TIMEOUT, MEMORY, FILES, CODE),
                    List.of());

    static final Section ORDER =
            new Section(
                    "order", List.of(BATCH, LANES, WINDOW, SEED, SHUFFLE, TAIL, EPOCHS), List.of());

    static final Section SCHEMA = new Section("schema", List.of(MISSING, WIDEN), List.of());

    /** One stream; the user chooses its name. */
    static final Section STREAM =
            new Section(
                    "<name>",
                    List.of(DATA, FROM, COLUMNS, PARTITIONS, FILTER, SPLIT, TRANSFORMS, LIKE),
                    List.of(SCHEMA, ORDER));

    static final Section STREAMS = new Section("streams", List.of(), List.of(STREAM));

    static final Section TRAINERS =
            new Section("trainers", List.of(RANKS, COMMAND, RESTARTS), List.of());

    static final Section RUN =
            new Section("run", List.of(DIRECTORY, CHECKPOINT_INTERVAL, DIGESTS), List.of());

    static final Section HAND_OFF = new Section("hand-off", List.of(BIND, PORTS), List.of());

    static final Section TLS = new Section("tls", List.of(CERTIFICATE, TLS_KEY, CA), List.of());

    static final Section SECURITY = new Section("security", List.of(), List.of(TLS));

    static final Section CACHE = new Section("cache", List.of(CACHE_DIRECTORY, SIZE), List.of());

    static final Section READER = new Section("reader", List.of(STEP_MEMORY, THREADS), List.of());

    static final Section ROOT =
            new Section(
                    "",
                    List.of(),
                    List.of(STREAMS, TRAINERS, RUN, HAND_OFF, SECURITY, CACHE, READER, PYTHON));

    /** The path of the group that has a key or group of this name; empty if there is none. */
    static Optional<String> place(String name) {
        return place(ROOT, "", name);
    }

    private static Optional<String> place(Section section, String path, String name) {
        if (section.names().contains(name)) {
            return Optional.of(path.isEmpty() ? "the top of the file" : path);
        }
        return section.sections().stream()
                .map(
                        inner ->
                                place(
                                        inner,
                                        path.isEmpty() ? inner.name() : path + "." + inner.name(),
                                        name))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Schema() {}
}
