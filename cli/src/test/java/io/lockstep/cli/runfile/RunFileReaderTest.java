package io.lockstep.cli.runfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.handoff.flight.PortRange;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.python.PythonSettings;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every key, every default, and one line for every error. */
class RunFileReaderTest {

    @TempDir Path directory;

    @Test
    void readsEverySetting() throws IOException {
        RunFile run =
                read(
                        """
                        streams:
                          train: {data: /data/train, columns: [f00, f01, label], order: {batch: 4096, lanes: 16, window: 8, seed: 7, shuffle: global, tail: pad, epochs: 3}}
                          eval:  {data: [a/*.parquet, s3://b/c], order: {batch: 4096, shuffle: none}}
                        trainers: {ranks: 2, command: [python, train.py, --lr, 0.1], restarts: 1}
                        run: {directory: /runs/ctr-7, checkpoint-interval: 1min}
                        hand-off: {bind: "fd00::7", ports: 26000-26015}
                        cache: {directory: nvme, size: 500GiB}
                        reader: {step-memory: 1GiB, threads: 3}
                        """);

        assertThat(run.name()).isEqualTo("my-run");
        assertThat(run.streams())
                .containsExactly(
                        new StreamSpec(
                                "train",
                                List.of("/data/train"),
                                List.of("f00", "f01", "label"),
                                new OrderSettings(7, 16, 4096, 8, Shuffle.GLOBAL, Tail.PAD),
                                3),
                        new StreamSpec(
                                "eval",
                                List.of(directory.resolve("a/*.parquet").toString(), "s3://b/c"),
                                List.of(),
                                new OrderSettings(0, 64, 4096, 2, Shuffle.NONE, Tail.DROP),
                                1));
        assertThat(run.trainers())
                .isEqualTo(
                        new RunFile.Trainers(
                                2, List.of("python", "train.py", "--lr", "0.1"), directory, 1));
        assertThat(run.directory()).isEqualTo("/runs/ctr-7");
        assertThat(run.checkpointInterval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(run.bind()).isEqualTo("fd00::7");
        assertThat(run.ports()).isEqualTo(new PortRange(26000, 26015));
        assertThat(run.reader()).isEqualTo(new ReaderSettings(1L << 30, 3));
        assertThat(run.cache())
                .isEqualTo(new CacheSettings(directory.resolve("nvme").toString(), 500L << 30));
    }

    @Test
    void fillsInWhatIsNotWritten() throws IOException {
        RunFile run = read("streams: {train: {data: d, order: {batch: 96}}}\n");

        StreamSpec train = run.stream("train");
        assertThat(train.order())
                .isEqualTo(new OrderSettings(0, 48, 96, 3, Shuffle.LANE, Tail.DROP));
        assertThat(train.epochs()).isEqualTo(1);
        assertThat(run.trainers()).isEqualTo(new RunFile.Trainers(1, List.of(), directory, 0));
        assertThat(run.directory()).isNull();
        assertThat(run.checkpointInterval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(run.bind()).isNull();
        assertThat(run.ports()).isEqualTo(PortRange.any());
        assertThat(run.cache()).isEqualTo(CacheSettings.defaults());
        assertThat(run.reader()).isEqualTo(ReaderSettings.defaults());
    }

    @Test
    void readsAnEmptyGroupAsDefaults() throws IOException {
        RunFile run = read("streams: {train: {data: d, order: {batch: 8}}}\nrun: {}\n");

        assertThat(run.checkpointInterval()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void expandsTheHomeDirectory() throws IOException {
        String home = System.getenv("HOME");
        RunFile run =
                read(
                        """
                        streams: {train: {data: [~/d/*, $HOME/e, '${HOME}', ~x, a$HOME], order: {batch: 8}}}
                        run: {directory: ~/runs/x}
                        cache: {directory: $HOME/cache}
                        """);

        assertThat(run.stream("train").data())
                .containsExactly(
                        home + "/d/*",
                        home + "/e",
                        home,
                        directory.resolve("~x").toString(),
                        directory.resolve("a$HOME").toString());
        assertThat(run.directory()).isEqualTo(home + "/runs/x");
        assertThat(run.cache().directory()).isEqualTo(home + "/cache");
    }

    @Test
    void usesFlinksNameOfTheJobIfThereIsOne() throws IOException {
        RunFile run = read("streams: {train: {data: d, order: {batch: 8}}}");
        Configuration flink = new Configuration();

        assertThat(run.jobName(flink)).isEqualTo("lockstep my-run");
        flink.set(PipelineOptions.NAME, "digits");
        assertThat(run.jobName(flink)).isEqualTo("digits");
    }

    @Test
    void readsTheWholeRangeOfSeeds() throws IOException {
        RunFile run =
                read(
                        "streams: {train: {data: d, order: {batch: 8,"
                                + " seed: 18446744073709551615}}}\n");

        assertThat(run.stream("train").order().seed()).isEqualTo(-1L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "      order: {bacth: 64} | 4: unknown key 'bacth' in streams.train.order; did you mean 'batch'?",
                "      order: {batch: many} | 4: streams.train.order.batch is 'many'; it must be a whole number from 1 to 2147483647",
                "      order: {batch: 100000000000000000000000} | 4: streams.train.order.batch is '100000000000000000000000'; it must be a whole number from 1 to 2147483647",
                "      order: {batch: 0} | 4: streams.train.order.batch is '0'; it must be a whole number from 1 to 2147483647",
                "      order: {batch: [1]} | 4: streams.train.order.batch is a list; it must be a whole number from 1 to 2147483647",
                "      order: {batch: } | 4: streams.train.order.batch is nothing; it must be a whole number from 1 to 2147483647",
                "      order: {batch: 4, shuffle: lanes} | 4: streams.train.order.shuffle is 'lanes'; it must be none, lane, global or sequential",
                "      order: {batch: 4, seed: -1} | 4: streams.train.order.seed is '-1'; it must be a whole number from 0 to 2^64 - 1",
                "      order: {batch: 10, lanes: 4} | 4: batch 10 is not a multiple of 4 lanes",
                "      order: {batch: 4, epochs: 0} | 4: streams.train.order.epochs is '0'; it must be a whole number from 1 to 2147483647",
                "      order: 64 | 4: streams.train.order is '64'; it must be a group of keys",
                "      order: {lanes: 4} | 4: streams.train.order needs the key 'batch': a whole number from 1 to 2147483647",
                "      epoch: 4 | 4: unknown key 'epoch' in streams.train; there are: data, from, columns, partitions, filter, split, transforms, like, schema, order",
                "      epochs: 4 | 4: unknown key 'epochs' in streams.train; it belongs to streams.<name>.order",
            })
    void namesLineAndFaultOfAStream(String line, String message) {
        assertThatThrownBy(() -> read("streams:\n  train:\n      data: d\n" + "      " + line))
                .isInstanceOf(RunFileException.class)
                .hasMessageStartingWith(directory.resolve("my-run.yaml") + ":" + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "streams: {train: {data: *.parquet}} | 2: this is not YAML: a value that begins with '*' is an alias; put a glob in quotes",
                "streams: {train: {data: *shards}} | 2: aliases ('*name') are not supported; write the value out, and put a glob in quotes",
                "stream: {} | 2: unknown key 'stream'; did you mean 'streams'?",
                "run: {checkpoint_interval: 3s} | 2: unknown key 'checkpoint_interval' in run; did you mean 'checkpoint-interval'?",
                "run: {checkpoint-interval: 30} | 2: run.checkpoint-interval is '30'; it must be a duration of at least 10ms, such as 500ms, 30s, 5min or 1h",
                "run: {digests: -1} | 2: run.digests is '-1'; it must be keep, off or a number of epochs",
                "run: {digests: 9223372036854775808} | 2: run.digests is '9223372036854775808'; it must be keep, off or a number of epochs",
                "run: {directory: 'hdfs:'} | 2: 'hdfs:' is neither a path nor a URI",
                "cache: {size: 3 elephants} | 2: cache.size is '3 elephants'; it must be a size above 0, such as 800MB, 64GiB or 2TiB",
                "cache: {size: 0MB} | 2: cache.size is '0MB'; it must be a size above 0",
                "reader: {step-memory: 0B} | 2: reader.step-memory is '0B'; it must be a size above 0",
                "run: {checkpoint-interval: 0s} | 2: run.checkpoint-interval is '0s'; it must be a duration of at least 10ms",
                "run: {checkpoint-interval: 9ms} | 2: run.checkpoint-interval is '9ms'; it must be a duration of at least 10ms",
                "trainers: {command: python train.py} | 2: trainers.command is 'python train.py'; it must be a list of words, such as [python, train.py]",
                "trainers: {restarts: -1} | 2: trainers.restarts is '-1'; it must be a whole number from 0 to 2147483647",
                "hand-off: {ports: 26015-26000} | 2: hand-off.ports is '26015-26000'; it must be a port or a range of ports such as 26000-26015, from 1 to 65535",
                "hand-off: {ports: 0} | 2: hand-off.ports is '0'; it must be a port or a range of ports such as 26000-26015, from 1 to 65535",
                "handoff: {ports: 1} | 2: unknown key 'handoff'; did you mean 'hand-off'?",
                "trainers: {ranks: 3} | 2: the stream 'train': 8 lanes cannot be shared among 3 ranks evenly",
                "streams: {} | 2: the key 'streams' stands in line 1 already",
                "run: *x | 2: aliases ('*name') are not supported; write the value out",
            })
    void namesLineAndFaultOfAGroup(String line, String message) {
        assertThatThrownBy(() -> read("streams: {train: {data: d, order: {batch: 8}}}\n" + line))
                .isInstanceOf(RunFileException.class)
                .hasMessageStartingWith(directory.resolve("my-run.yaml") + ":" + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "NOTHING",
            value = {
                "NOTHING | 1: the file is empty; it needs at least 'streams'",
                "# a remark | 1: the file is empty; it needs at least 'streams'",
                "text | 1: the file is 'text'; it must be a group of keys",
                "run: {} | 1: the file needs the key 'streams'",
                "streams: {} | 1: streams names no stream",
                "streams: {train: {order: {batch: 4}}} | 1: streams.train needs the key 'data': a path or a list of paths",
                "streams: {train: {data: d, columns: [], order: {batch: 4}}} | 1: streams.train.columns is an empty list; it must be a name or a list of names, each once",
                "streams: {train: {data: d, partitions: {a: int16}, order: {batch: 4}}} | 1: streams.train.partitions is a group of keys; it must be names, each with the type string, int32, int64, float32, float64, bool or date32",
                "streams: {train: {data: d, schema: {missing: drop}, order: {batch: 4}}} | 1: streams.train.schema.missing is 'drop'; it must be refuse or null",
                "streams: {train: {data: d, schema: {widen: yes}, order: {batch: 4}}} | 1: streams.train.schema.widen is 'yes'; it must be true or false",
                "streams: {train: {data: d, columns: [a, a], order: {batch: 4}}} | 1: streams.train.columns is a list; it must be a name or a list of names, each once",
                "streams: {train/1: {data: d, order: {batch: 4}}} | 1: the stream name 'train/1' cannot be used: take letters, digits, '-' and '_' (at most 64)",
            })
    void namesTheFaultOfAFile(String text, String message) {
        assertThatThrownBy(() -> read(text == null ? "" : text))
                .isInstanceOf(RunFileException.class)
                .hasMessage(directory.resolve("my-run.yaml") + ":" + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "  t: {data: d, order: {batch: 4}~  e: {data: d} | 3: expected ',' or '}', but got <scalar> while parsing a flow mapping that begins in line 2",
                "  t: [~# the end | 3: expected the node content, but found '<stream end>'",
                "  t: [a~ | 2: expected ',' or ']', but got <stream end> while parsing a flow sequence",
                "  t: {data: \"d}~  # the end | 2: found unexpected end of stream while scanning a quoted scalar",
                "  t:~\tdata: d | 3: found a tab in the indentation; use spaces",
                "  t: @d | 2: found character '@' that cannot start any token.",
                "  t:~   data: d~    order: {} | 4: mapping values are not allowed here",
                "  t: x: y | 2: mapping values are not allowed here",
                "  t:~    da\u0001ta: d | 3: it holds the control character U+0001",
            })
    void namesTheLineThatIsNotYaml(String lines, String message) {
        assertThatThrownBy(() -> read("streams:\n  " + lines.replace('~', '\n') + "\n"))
                .isInstanceOf(RunFileException.class)
                .hasMessage(
                        directory.resolve("my-run.yaml")
                                + message.replaceFirst("^(\\d+): ", ":$1: this is not YAML: "));
    }

    @Test
    void refusesAFileThatIsNotUtf8() throws IOException {
        Path file = directory.resolve("latin.yaml");
        Files.write(
                file, "streams: {train: {data: caf\u00e9}}".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> RunFileReader.read(file))
                .isInstanceOf(RunFileException.class)
                .hasMessage("The run file " + file + " is not UTF-8 text; save it as UTF-8.");
    }

    @Test
    @Timeout(10)
    void refusesAFileThatIsTooLongWithoutParsingIt() throws IOException {
        Path file = directory.resolve("long.yaml");
        Files.writeString(file, "# " + "x".repeat(50_000_000));

        for (Path endless : List.of(file, Path.of("/dev/zero"))) {
            assertThatThrownBy(() -> RunFileReader.read(endless))
                    .isInstanceOf(RunFileException.class)
                    .hasMessage(
                            endless
                                    + " has more than 1 MiB and is no run file; a dataset is named"
                                    + " by --data.");
        }
    }

    @Test
    void refusesAFileThatIsNestedTooDeeply() {
        assertThatThrownBy(() -> read("streams: " + "[".repeat(100_000)))
                .isInstanceOf(RunFileException.class)
                .hasMessageEndingWith(":1: this is not YAML: it is nested too deeply");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatThrownBy(() -> RunFileReader.read(directory.resolve("none.yaml")))
                .isInstanceOf(RunFileException.class)
                .hasMessage("There is no run file " + directory.resolve("none.yaml") + ".");
    }

    @Test
    void suggestsTheNearestStream() throws IOException {
        RunFile run = read("streams: {train: {data: d, order: {batch: 8}}}\n");

        assertThatThrownBy(() -> run.stream("trian"))
                .hasMessage("the run has no stream 'trian'; did you mean 'train'?");
    }

    @Test
    void readsWhatTheWriterWrites() throws IOException {
        RunFile run =
                read(
                        """
                        streams:
                          train: {data: d, columns: ["yes", "7", "a: b"], partitions: {year: int32, "no": string}, schema: {missing: null, widen: true}, order: {batch: 64, seed: 18446744073709551615, shuffle: none, tail: pad, epochs: 2}}
                        trainers: {ranks: 4, command: [python, "-c", "print('x # y')", "1.0", ""], restarts: 3}
                        run: {directory: r, checkpoint-interval: 1500ms}
                        hand-off: {ports: 26000}
                        cache: {size: 1000MB}
                        reader: {threads: 2}
                        """);
        Path resolved = directory.resolve("run.yaml");
        Files.writeString(resolved, RunFileWriter.write(run));

        RunFile again = RunFileReader.read(resolved);

        assertThat(again).usingRecursiveComparison().ignoringFields("name").isEqualTo(run);
    }

    private RunFile read(String text) throws IOException {
        Path file = directory.resolve("my-run.yaml");
        Files.writeString(file, text);
        return RunFileReader.read(file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def f(rows):\n    return {}\n",
                "  x = 1",
                "a\r\nb\ttab \n\n  trailing  \n\n\n",
                "# key: {value}\n'quotes' \"both\" \\ \u00e9\u4e2d\ud83d\ude00 \u001b\n",
                "",
            })
    void theSourceOfFunctionsIsRecordedAsItIs(String source) throws IOException {
        Path file = directory.resolve("my-run.yaml");
        Files.writeString(directory.resolve("my_features.py"), source);
        Files.writeString(
                file,
                """
                streams:
                  train:
                    data: data
                    transforms:
                      - python: {function: "my_features:f", columns: x, adds: {y: int64}}
                    order: {batch: 32}
                python: {workers: 3, timeout: 30s, memory: 2GiB}
                """);
        RunFile run = RunFileReader.read(file);
        Files.delete(directory.resolve("my_features.py"));
        RunFile recorded = RunFileReader.parse(file, RunFileWriter.write(run));

        PythonSettings settings = recorded.streams().get(0).transforms().get(0).python();
        assertThat(settings).isEqualTo(run.streams().get(0).transforms().get(0).python());
        assertThat(settings.code().files()).isEqualTo(Map.of("my_features.py", source));
        assertThat(settings.workers()).isEqualTo(3);
        assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.memory()).isEqualTo(2L << 30);
    }
}
