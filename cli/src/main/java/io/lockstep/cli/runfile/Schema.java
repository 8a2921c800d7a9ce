package io.lockstep.cli.runfile;

import io.lockstep.handoff.PortRange;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.run.DigestRetention;
import java.time.Duration;
import java.util.List;

/** All keys of the run file with their types and defaults; the reader and the reference use it. */
final class Schema {

    static final Key<List<String>> DATA =
            new Key<>(
                    "data",
                    ValueType.PATHS,
                    "required",
                    "Directories (read with all below them), globs or Parquet files. A path without"
                            + " a scheme is relative to the run file.");

    static final Key<List<String>> COLUMNS =
            new Key<>(
                    "columns",
                    ValueType.NAMES,
                    "all columns",
                    "The columns that the trainers get, in this order.");

    static final Key<Integer> BATCH =
            new Key<>(
                    "batch",
                    ValueType.POSITIVE,
                    "required",
                    "Samples of one step, over all ranks together (the global batch). A multiple of"
                            + " `lanes`.");

    static final Key<Integer> LANES =
            new Key<>(
                    "lanes",
                    ValueType.POSITIVE,
                    "the largest divisor of `batch` up to 64",
                    "Independent queues of the order. The world sizes that divide it are permitted.");

    static final Key<Integer> WINDOW =
            new Key<>(
                    "window",
                    ValueType.POSITIVE,
                    "the least with `lanes` x `window` >= 128",
                    "How many row groups a lane mixes row by row.");

    static final Key<Long> SEED =
            new Key<>("seed", ValueType.SEED, "0", "Another seed is another order.");

    static final Key<Shuffle> SHUFFLE =
            new Key<>(
                    "shuffle",
                    ValueType.SHUFFLE,
                    "lane",
                    "`lane`: each lane keeps its row groups and mixes them anew in every epoch;"
                            + " `global`: row groups are dealt to the lanes anew in every epoch;"
                            + " `none`: the order of the files.");

    static final Key<Tail> TAIL =
            new Key<>(
                    "tail",
                    ValueType.TAIL,
                    "drop",
                    "What an incomplete last step becomes: `drop` leaves it out, `pad` fills it"
                            + " with repeated samples of weight 0.");

    static final Key<Integer> EPOCHS =
            new Key<>("epochs", ValueType.POSITIVE, "1", "Passes over the stream.");

    static final Key<Integer> RANKS =
            new Key<>("ranks", ValueType.POSITIVE, "1", "Trainer processes (the world size).");

    static final Key<List<String>> COMMAND =
            new Key<>(
                    "command",
                    ValueType.WORDS,
                    "none: `serve` needs none, `run` does",
                    "Starts one trainer. It runs in the run file's directory.");

    static final Key<Integer> RESTARTS =
            new Key<>(
                    "restarts",
                    ValueType.COUNT,
                    "0",
                    "How often all trainers are started again after one of them failed.");

    static final Key<String> DIRECTORY =
            new Key<>(
                    "directory",
                    ValueType.PATH,
                    "`runs/<name>-<time>` where the command is called",
                    "Holds all that belongs to the run. On several hosts, a directory that all of"
                            + " them reach. A path without a scheme is relative to the run file.");

    static final Key<Duration> CHECKPOINT_INTERVAL =
            new Key<>(
                    "checkpoint-interval",
                    ValueType.INTERVAL,
                    "5min",
                    "Between Flink checkpoints. They hold no position: that is in the trainers'"
                            + " states, and in the run directory.");

    static final Key<DigestRetention> DIGESTS =
            new Key<>(
                    "digests",
                    ValueType.RETENTION,
                    "keep",
                    "How long the run directory keeps the digests that prove what was served and"
                            + " consumed: `keep` for good, a number of epochs before the one that"
                            + " is being served, or `off` for none. They take 32 bytes for a lane"
                            + " of a step.");

    static final Key<PortRange> PORTS =
            new Key<>(
                    "ports",
                    ValueType.PORTS,
                    "any free port",
                    "The port, or the range of ports, on which the job serves the trainers. Each of"
                            + " its tasks takes the first that is free on its host, so that a range"
                            + " needs as many as the slots of a host.");

    static final Key<String> CACHE_DIRECTORY =
            new Key<>(
                    "directory",
                    ValueType.PATH,
                    "`lockstep-cache-USER` in the system's directory for temporary files",
                    "Local disk, NVMe at best, for decoded row groups. The same path on every"
                            + " host; relative to the run file.");

    static final Key<Long> SIZE =
            new Key<>(
                    "size",
                    ValueType.SIZE,
                    "half of what is free at the start",
                    "The most that the cache of one process may take.");

    static final Key<Long> STEP_MEMORY =
            new Key<>(
                    "step-memory",
                    ValueType.SIZE,
                    "256MiB",
                    "What one reader may use for steps that are made ahead of use; at least one"
                            + " step of each of its lanes must fit.");

    static final Key<Integer> THREADS =
            new Key<>(
                    "threads",
                    ValueType.POSITIVE,
                    "one for each core",
                    "Threads of one reader that decode row groups and gather steps.");

    static final Section ORDER =
            new Section(
                    "order", List.of(BATCH, LANES, WINDOW, SEED, SHUFFLE, TAIL, EPOCHS), List.of());

    /** One stream; its name is for the user to choose. */
    static final Section STREAM = new Section("<name>", List.of(DATA, COLUMNS), List.of(ORDER));

    static final Section STREAMS = new Section("streams", List.of(), List.of(STREAM));

    static final Section TRAINERS =
            new Section("trainers", List.of(RANKS, COMMAND, RESTARTS), List.of());

    static final Section RUN =
            new Section("run", List.of(DIRECTORY, CHECKPOINT_INTERVAL, DIGESTS), List.of());

    static final Section HAND_OFF = new Section("hand-off", List.of(PORTS), List.of());

    static final Section CACHE = new Section("cache", List.of(CACHE_DIRECTORY, SIZE), List.of());

    static final Section READER = new Section("reader", List.of(STEP_MEMORY, THREADS), List.of());

    static final Section ROOT =
            new Section("", List.of(), List.of(STREAMS, TRAINERS, RUN, HAND_OFF, CACHE, READER));

    private Schema() {}
}
