package io.lockstep.cli.runfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lockstep.filter.Split;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.order.OrderSettings;
import io.lockstep.python.PythonSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.TransformSpec;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;

/** Writes a run with all defaults filled in, in the format that {@link RunFileReader} reads. */
@PublicEvolving
public final class RunFileWriter {

    private static final YAMLMapper YAML =
            new YAMLMapper(
                    YAMLFactory.builder()
                            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                            .disable(YAMLGenerator.Feature.SPLIT_LINES)
                            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                            .build());

    private RunFileWriter() {}

    /** The run as YAML text. */
    public static String write(RunFile run) {
        Map<String, Object> trainers = new LinkedHashMap<>();
        trainers.put(Schema.RANKS.name(), run.trainers().ranks());
        if (!run.trainers().command().isEmpty()) {
            trainers.put(Schema.COMMAND.name(), run.trainers().command());
        }
        trainers.put(Schema.RESTARTS.name(), run.trainers().restarts());
        Map<String, Object> directories = new LinkedHashMap<>();
        if (run.directory() != null) {
            directories.put(Schema.DIRECTORY.name(), run.directory());
        }
        directories.put(
                Schema.CHECKPOINT_INTERVAL.name(), Quantities.text(run.checkpointInterval()));
        directories.put(Schema.DIGESTS.name(), run.digests().toString());
        Map<String, Object> handOff = new LinkedHashMap<>();
        if (run.bind() != null) {
            handOff.put(Schema.BIND.name(), run.bind());
        }
        if (!run.ports().isAny()) {
            handOff.put(Schema.PORTS.name(), run.ports().toString());
        }
        Map<String, Object> cache = new LinkedHashMap<>();
        cache.put(Schema.CACHE_DIRECTORY.name(), run.cache().directory());
        if (run.cache().size() > 0) {
            cache.put(Schema.SIZE.name(), Quantities.text(run.cache().size()));
        }

        Map<String, Object> reader = new LinkedHashMap<>();
        reader.put(Schema.STEP_MEMORY.name(), Quantities.text(run.reader().stepBytes()));
        if (run.reader().threads() > 0) {
            reader.put(Schema.THREADS.name(), run.reader().threads());
        }

        Map<String, Object> root = new LinkedHashMap<>();
        root.put(Schema.STREAMS.name(), streams(run));
        root.put(Schema.TRAINERS.name(), trainers);
        root.put(Schema.RUN.name(), directories);
        if (!handOff.isEmpty()) {
            root.put(Schema.HAND_OFF.name(), handOff);
        }
        if (run.tls() != null) {
            root.put(Schema.SECURITY.name(), Map.of(Schema.TLS.name(), tls(run.tls())));
        }
        root.put(Schema.CACHE.name(), cache);
        root.put(Schema.READER.name(), reader);
        run.streams().stream()
                .flatMap(stream -> stream.transforms().stream())
                .map(TransformSpec::python)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(python -> root.put(Schema.PYTHON.name(), python(python)));
        return text(root);
    }

    private static Map<String, Object> tls(TlsFiles files) {
        Map<String, Object> tls = new LinkedHashMap<>();
        tls.put(Schema.CERTIFICATE.name(), files.certificate());
        tls.put(Schema.TLS_KEY.name(), files.key());
        if (files.ca() != null) {
            tls.put(Schema.CA.name(), files.ca());
        }
        return tls;
    }

    private static Map<String, Object> python(PythonSettings settings) {
        Map<String, Object> python = new LinkedHashMap<>();
        if (settings.command() != null) {
            python.put(Schema.PYTHON_COMMAND.name(), settings.command());
        }
        if (settings.workers() > 0) {
            python.put(Schema.WORKERS.name(), settings.workers());
        }
        python.put(Schema.TIMEOUT.name(), Quantities.text(settings.timeout()));
        if (settings.memory() > 0) {
            python.put(Schema.MEMORY.name(), Quantities.text(settings.memory()));
        }
        python.put(Schema.CODE.name(), settings.code().files());
        return python;
    }

    private static Map<String, Object> streams(RunFile run) {
        Map<String, Object> streams = new LinkedHashMap<>();
        run.streams().forEach(stream -> streams.put(stream.name(), stream(stream)));
        return streams;
    }

    private static Map<String, Object> stream(StreamSpec spec) {
        OrderSettings settings = spec.order();
        Map<String, Object> order = new LinkedHashMap<>();
        order.put(Schema.BATCH.name(), settings.batch());
        order.put(Schema.LANES.name(), settings.lanes());
        order.put(Schema.WINDOW.name(), settings.window());
        order.put(Schema.SEED.name(), new BigInteger(Long.toUnsignedString(settings.seed())));
        order.put(Schema.SHUFFLE.name(), settings.shuffle().toString());
        order.put(Schema.TAIL.name(), settings.tail().toString());
        order.put(Schema.EPOCHS.name(), spec.epochs());
        Map<String, Object> stream = new LinkedHashMap<>();
        Split split = spec.rows().split();
        if (split != null && split.part() != null) {
            stream.put(Schema.FROM.name(), split.of());
        } else {
            rows(spec, stream);
        }
        if (!spec.columns().isEmpty()) {
            stream.put(Schema.COLUMNS.name(), spec.columns());
        }
        if (spec.like() != null) {
            stream.put(Schema.LIKE.name(), spec.like().name());
        } else if (!spec.transforms().isEmpty()) {
            stream.put(
                    Schema.TRANSFORMS.name(),
                    spec.transforms().stream().map(RunFileWriter::transform).toList());
        }
        stream.put(Schema.ORDER.name(), order);
        return stream;
    }

    /** What a stream that takes a part of a split has from the stream that is split. */
    private static void rows(StreamSpec spec, Map<String, Object> stream) {
        stream.put(Schema.DATA.name(), spec.data());
        if (!spec.schema().partitions().isEmpty()) {
            Map<String, String> types = new TreeMap<>();
            spec.schema().partitions().forEach((name, type) -> types.put(name, type.toString()));
            stream.put(Schema.PARTITIONS.name(), types);
        }
        if (spec.schema().fillMissing() || spec.schema().widen()) {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put(Schema.MISSING.name(), spec.schema().fillMissing() ? null : "refuse");
            schema.put(Schema.WIDEN.name(), spec.schema().widen());
            stream.put(Schema.SCHEMA.name(), schema);
        }
        if (spec.rows().filter() != null) {
            stream.put(Schema.FILTER.name(), spec.rows().filter().text());
        }
        if (spec.rows().split() != null) {
            stream.put(Schema.SPLIT.name(), RowsReader.written(spec.rows().split()));
        }
    }

    private static Map<String, Object> transform(TransformSpec spec) {
        Map<String, Object> transform = new LinkedHashMap<>();
        if (!spec.name().equals(spec.kind())) {
            transform.put("name", spec.name());
        }
        try {
            transform.put(spec.kind(), YAML.readTree(spec.parameters()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the parameters of a transform are no JSON", e);
        }
        return transform;
    }

    private static String text(Map<String, Object> root) {
        try {
            return YAML.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a run of plain values became no YAML", e);
        }
    }
}
