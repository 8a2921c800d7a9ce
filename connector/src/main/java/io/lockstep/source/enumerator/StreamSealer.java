package io.lockstep.source.enumerator;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.KeptRowsCounter;
import io.lockstep.filter.KeptRowsStore;
import io.lockstep.fit.FittedStore;
import io.lockstep.fit.Fitting;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.materialize.Content;
import io.lockstep.order.Order;
import io.lockstep.order.OrderException;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the streams of a run. Existing seals in the run directory are used as they are, even if the
 * dataset has changed since. The other datasets are listed once and sealed there.
 */
public final class StreamSealer {

    private static final Logger LOG = LoggerFactory.getLogger(StreamSealer.class);

    private final RunDirectory run;
    private final Progress progress;
    private final boolean tried;

    /** Seals streams without running a function of the user. */
    public StreamSealer(RunDirectory run, Progress progress) {
        this(run, progress, false);
    }

    /**
     * @param progress called with the number of footers read so far
     * @param tried whether to run transforms before a stream is sealed: to compute the statistics
     *     that they need, and to try those that may fail on any rows
     */
    public StreamSealer(RunDirectory run, Progress progress, boolean tried) {
        this.run = run;
        this.progress = progress;
        this.tried = tried;
    }

    /**
     * Seals all streams, or none if one is refused.
     *
     * @param remembered digests from a checkpoint, by stream; they must equal those in the run
     *     directory
     */
    public List<StreamInfo> seal(List<StreamSpec> specs, Map<String, String> remembered)
            throws IOException {
        ManifestStore manifests = new ManifestStore(run.manifests());
        KeptRowsStore counts = new KeptRowsStore(run.manifests());
        List<Manifest> listed = new ArrayList<>();
        Map<KeptRows, Manifest> counted = new IdentityHashMap<>();
        FittedStore fits = new FittedStore(run.manifests());
        Map<Fitting, FittedValues> fitted = new IdentityHashMap<>();
        Map<String, FittedValues> statistics = new HashMap<>();
        Map<String, StreamInfo> infos = new HashMap<>();
        Map<String, StreamSeal> seals = new LinkedHashMap<>();
        for (StreamSpec spec : fittedFirst(specs)) {
            Optional<StreamSeal> present = Optional.empty();
            UnreadableFileException damaged = null;
            try {
                present = run.readStream(spec.name());
            } catch (UnreadableFileException e) {
                damaged = e;
            }
            String digest =
                    remembered.getOrDefault(
                            spec.name(), present.map(StreamSeal::manifest).orElse(null));
            Manifest manifest;
            try {
                manifest = digest == null ? null : manifests.load(digest);
            } catch (UnreadableFileException e) {
                manifest = null;
                damaged = e;
            }
            if (manifest == null) {
                manifest = plan(spec, damaged, digest, manifests);
                listed.add(manifest);
            }
            KeptRows kept = kept(spec, manifest, counts, counted);
            Dataset dataset = Dataset.only(manifest, kept);
            TransformChain chain = chain(spec, dataset, fits, statistics, fitted);
            Content content = new Content(dataset, spec.columns(), spec.schema(), chain);
            StreamInfo info = describe(spec, content);
            StreamSeal seal =
                    new StreamSeal(
                            info.manifest(),
                            info.fingerprint(),
                            columns(spec, manifest),
                            transforms(chain),
                            spec.rows().description());
            if (present.isPresent()) {
                check(spec.name(), present.get(), seal);
            }
            if (tried) {
                content.tryTransforms();
            }
            infos.put(spec.name(), info);
            seals.put(spec.name(), seal);
        }
        for (Manifest manifest : listed) {
            manifests.seal(manifest);
        }
        for (Map.Entry<KeptRows, Manifest> each : counted.entrySet()) {
            counts.seal(each.getValue(), each.getKey());
        }
        for (Map.Entry<Fitting, FittedValues> each : fitted.entrySet()) {
            each.getKey().seal(fits, each.getValue());
        }
        for (Map.Entry<String, StreamSeal> seal : seals.entrySet()) {
            run.writeStream(seal.getKey(), seal.getValue());
        }
        return specs.stream().map(spec -> infos.get(spec.name())).toList();
    }

    /** Those last that need the statistics of others. */
    private static List<StreamSpec> fittedFirst(List<StreamSpec> specs) {
        return specs.stream()
                .sorted(Comparator.comparing((StreamSpec spec) -> spec.like() != null))
                .toList();
    }

    /**
     * Lists a stream's dataset.
     *
     * @param damaged the damaged seal; null if the stream was never sealed
     * @param digest the required digest of the manifest; null if any sealed manifest is valid
     */
    private Manifest plan(
            StreamSpec spec,
            @Nullable UnreadableFileException damaged,
            @Nullable String digest,
            ManifestStore manifests)
            throws IOException {
        if (damaged == null) {
            return ManifestPlanner.plan(spec.data(), progress);
        }
        Manifest planned;
        try {
            planned = ManifestPlanner.plan(spec.data(), progress);
        } catch (UserException e) {
            damaged.addSuppressed(e);
            throw damaged;
        }
        boolean same =
                digest == null
                        ? manifests.contains(planned.digest())
                        : planned.digest().equals(digest);
        if (!same) {
            throw new UserException(
                    damaged.getMessage()
                            + "; it cannot be rebuilt, since the dataset of the stream '"
                            + spec.name()
                            + "' has changed since it was sealed");
        }
        LOG.warn(
                "{}. The dataset of the stream '{}' is still the one that was sealed: rebuilding"
                        + " the file from it",
                damaged.getMessage(),
                spec.name());
        return planned;
    }

    /**
     * Counts the rows that a stream keeps, if they are not sealed yet.
     *
     * @param counted receives counts that are to be sealed
     * @return null if it keeps all
     */
    @Nullable
    private KeptRows kept(
            StreamSpec spec,
            Manifest manifest,
            KeptRowsStore counts,
            Map<KeptRows, Manifest> counted)
            throws IOException {
        if (spec.rows().isAll()) {
            return null;
        }
        try {
            Optional<KeptRows> sealed = counts.load(manifest, spec.rows());
            if (sealed.isPresent()) {
                return sealed.get();
            }
        } catch (UnreadableFileException e) {
            LOG.warn("{}. Counting the rows of the stream '{}' again", e.getMessage(), spec.name());
        }
        try {
            KeptRows kept = KeptRowsCounter.count(spec.rows(), manifest, spec.schema(), progress);
            counted.put(kept, manifest);
            return kept;
        } catch (UserException e) {
            throw new UserException("the stream '" + spec.name() + "': " + e.getMessage(), e);
        }
    }

    /**
     * Returns the transforms of a stream with their statistics.
     *
     * @param statistics of the streams so far; receives those of this one
     * @param fitted receives statistics that are to be sealed
     * @throws UserException if they are not sealed yet, and a job seals the stream
     */
    private TransformChain chain(
            StreamSpec spec,
            Dataset dataset,
            FittedStore store,
            Map<String, FittedValues> statistics,
            Map<Fitting, FittedValues> fitted)
            throws IOException {
        Fitting fitting = spec.fitting(dataset);
        if (fitting.isDone()) {
            return fitting.chain();
        }
        Optional<FittedValues> sealed = sealed(spec, fitting, store);
        FittedValues values = sealed.isPresent() ? sealed.get() : fit(spec, fitting, statistics);
        if (sealed.isEmpty()) {
            fitted.put(fitting, values);
        }
        statistics.put(spec.name(), values);
        return fitting.chain().fitted(values);
    }

    private FittedValues fit(StreamSpec spec, Fitting fitting, Map<String, FittedValues> statistics)
            throws IOException {
        if (!tried) {
            throw new UserException(
                    "the stream '"
                            + spec.name()
                            + "' has transforms with statistics of its rows, which the run directory "
                            + run.root()
                            + " does not contain, and a job does not compute them: seal the run with"
                            + " 'lockstep plan RUN.yaml --seal', or start it with 'lockstep run'");
        }
        if (spec.like() != null) {
            return statistics.get(spec.like().name());
        }
        // Names a filter that keeps too few rows before a statistic of them.
        order(spec, fitting.dataset());
        try {
            return fitting.compute(progress);
        } catch (UserException e) {
            throw new UserException("the stream '" + spec.name() + "': " + e.getMessage(), e);
        }
    }

    /** A command computes damaged statistics again; they are the same. */
    private Optional<FittedValues> sealed(StreamSpec spec, Fitting fitting, FittedStore store)
            throws IOException {
        try {
            return fitting.load(store);
        } catch (UnreadableFileException e) {
            if (!tried) {
                throw e;
            }
            LOG.warn("{}. Fitting the stream '{}' again", e.getMessage(), spec.name());
            return Optional.empty();
        }
    }

    private static List<String> columns(StreamSpec spec, Manifest manifest) {
        return manifest.select(spec.columns(), spec.schema()).getFields().stream()
                .map(Field::getName)
                .toList();
    }

    private static Map<String, String> transforms(TransformChain chain) {
        Map<String, String> transforms = new LinkedHashMap<>();
        chain.transforms()
                .forEach(each -> transforms.put(each.name(), each.transform().description()));
        return transforms;
    }

    private void check(String stream, StreamSeal present, StreamSeal now) {
        if (!present.fingerprint().equals(now.fingerprint())) {
            throw anotherRun(
                    stream,
                    "another order or dataset (fingerprint "
                            + present.fingerprint()
                            + ", now "
                            + now.fingerprint()
                            + ")");
        }
        if (present.columns() != null && !present.columns().equals(now.columns())) {
            throw anotherRun(
                    stream, "other columns (" + present.columns() + ", now " + now.columns() + ")");
        }
        List<String> rows = present.rows() == null ? List.of() : present.rows();
        if (!rows.equals(now.rows())) {
            throw anotherRun(
                    stream, "another filter or split (" + rows + ", now " + now.rows() + ")");
        }
        Map<String, String> sealed = present.transforms() == null ? Map.of() : present.transforms();
        if (!List.copyOf(sealed.keySet()).equals(List.copyOf(now.transforms().keySet()))) {
            throw anotherRun(
                    stream,
                    "other transforms ("
                            + sealed.keySet()
                            + ", now "
                            + now.transforms().keySet()
                            + ")");
        }
        sealed.forEach(
                (name, description) -> {
                    if (!description.equals(now.transforms().get(name))) {
                        throw anotherRun(
                                stream,
                                "another transform '"
                                        + name
                                        + "' ("
                                        + description
                                        + ", now "
                                        + now.transforms().get(name)
                                        + ")");
                    }
                });
    }

    private UserException anotherRun(String stream, String difference) {
        return new UserException(
                "the run directory "
                        + run.root()
                        + " holds a run whose stream '"
                        + stream
                        + "' has "
                        + difference
                        + ": choose another run directory, or the settings of that run");
    }

    /** The description of a stream that trainers get. */
    private static StreamInfo describe(StreamSpec spec, Content content) {
        Dataset dataset = content.dataset();
        Order order = order(spec, dataset);
        return new StreamInfo(
                spec.name(),
                content.wire().serializeAsMessage(),
                spec.order(),
                dataset.epochs(order),
                spec.epochs(),
                dataset.version(),
                order.fingerprint(dataset.version()),
                content.digest());
    }

    private static Order order(StreamSpec spec, Dataset dataset) {
        try {
            return dataset.order(spec.order());
        } catch (OrderException e) {
            throw new UserException("the stream '" + spec.name() + "': " + e.getMessage(), e);
        }
    }
}
