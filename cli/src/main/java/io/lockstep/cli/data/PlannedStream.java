package io.lockstep.cli.data;

import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.FooterProgress;
import io.lockstep.cli.console.FooterProgress.Skipped;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.run.SealedRun;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.KeptRowsCounter;
import io.lockstep.filter.KeptRowsStore;
import io.lockstep.fit.FittedStore;
import io.lockstep.fit.Fitting;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.materialize.Content;
import io.lockstep.materialize.SampleIds;
import io.lockstep.order.Order;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;

/**
 * A planned or sealed stream: its dataset and the order over it.
 *
 * @param spec the requested stream
 * @param manifest the dataset's files and row groups
 * @param kept the rows that are not left out; null if none is
 * @param chain the transforms, with their statistics if they are known
 * @param statistics of the transforms; none if they are not known or not needed
 * @param skipped the files beside them; empty if the stream was sealed before
 * @param distrust why its functions must not be run; null if they may
 */
public record PlannedStream(
        StreamSpec spec,
        Manifest manifest,
        @Nullable KeptRows kept,
        TransformChain chain,
        FittedValues statistics,
        List<Skipped> skipped,
        @Nullable String distrust) {

    /** A stream whose functions may be run. */
    private PlannedStream(
            StreamSpec spec,
            Manifest manifest,
            @Nullable KeptRows kept,
            TransformChain chain,
            FittedValues statistics,
            List<Skipped> skipped) {
        this(spec, manifest, kept, chain, statistics, skipped, null);
    }

    /**
     * Lists the dataset, reads its footers and counts the rows that a filter keeps; shows progress
     * if that takes a while.
     */
    public static PlannedStream open(StreamSpec spec, Console console) throws IOException {
        FileSystems.load();
        FooterProgress progress = new FooterProgress(console);
        return over(ManifestPlanner.plan(spec.data(), progress), spec, progress);
    }

    private static PlannedStream over(Manifest manifest, StreamSpec spec, FooterProgress progress)
            throws IOException {
        KeptRows kept =
                spec.rows().isAll()
                        ? null
                        : KeptRowsCounter.count(spec.rows(), manifest, spec.schema(), progress);
        return new PlannedStream(
                spec, manifest, kept, spec.chain(), FittedValues.NONE, progress.skipped());
    }

    /** Seals a run and returns one of its streams over the sealed dataset. */
    public static PlannedStream seal(RunFile run, StreamSpec stream, Console console)
            throws IOException {
        FileSystems.load();
        SealedRun sealed = SealedRun.seal(run, console);
        return sealed(sealed.directory(), stream, sealed.manifest(stream.name()));
    }

    /** Returns a stream of a run over its sealed manifest. */
    static PlannedStream sealed(RunDirectory directory, StreamSpec spec, Manifest manifest)
            throws IOException {
        KeptRows kept =
                spec.rows().isAll()
                        ? null
                        : new KeptRowsStore(directory.manifests()).require(manifest, spec.rows());
        Fitting fitting = spec.fitting(Dataset.only(manifest, kept));
        FittedValues values = fitting.sealed(new FittedStore(directory.manifests()));
        TransformChain chain = fitting.chain().fitted(values);
        return new PlannedStream(spec, manifest, kept, chain, values, List.of());
    }

    /**
     * Returns the stream with the statistics of its transforms, and computes them if they are not
     * known; shows progress if that takes a while.
     *
     * @throws io.lockstep.order.OrderException if the rows do not fill a single step, even if they
     *     have no such statistics either
     */
    public PlannedStream fitted(Console console) throws IOException {
        if (chain.isFitted()) {
            return this;
        }
        FittedValues values = spec.like() == null ? fit(console) : like(console).fit(console);
        return new PlannedStream(
                spec, manifest, kept, chain.fitted(values), values, skipped, distrust);
    }

    /** The stream whose statistics it has; a dataset that both have is listed once. */
    private PlannedStream like(Console console) throws IOException {
        StreamSpec like = spec.like();
        return like.data().equals(spec.data())
                ? over(manifest, like, new FooterProgress(console))
                : open(like, console);
    }

    private FittedValues fit(Console console) throws IOException {
        order();
        return spec.fitting(dataset()).compute(new FooterProgress(console));
    }

    /** Returns the same stream, whose functions must not be run for a reason, if there is one. */
    PlannedStream distrusted(@Nullable String why) {
        return new PlannedStream(spec, manifest, kept, chain, statistics, skipped, why);
    }

    /** Returns the same rows before any transform. */
    public PlannedStream before() {
        return new PlannedStream(
                spec.with(List.of()),
                manifest,
                kept,
                TransformChain.empty(),
                FittedValues.NONE,
                skipped);
    }

    /**
     * Returns the same stream with the transforms up to one of them.
     *
     * @throws UsageException if the stream has no transform of that name
     */
    public PlannedStream after(String transform) {
        List<String> names = spec.transforms().stream().map(TransformSpec::name).toList();
        int last = names.indexOf(transform);
        if (last < 0) {
            throw new UsageException(
                    "the stream '"
                            + spec.name()
                            + "' has no transform '"
                            + transform
                            + "'"
                            + (names.isEmpty() ? "" : "; it has " + String.join(", ", names)));
        }
        StreamSpec part = spec.with(spec.transforms().subList(0, last + 1));
        TransformChain partial =
                TransformChain.of(chain.stream(), chain.transforms().subList(0, last + 1));
        return new PlannedStream(part, manifest, kept, partial, statistics, skipped, distrust);
    }

    /** The manifest of the dataset as it is now. */
    public static Manifest plan(List<String> data, Console console) throws IOException {
        FileSystems.load();
        return ManifestPlanner.plan(data, new FooterProgress(console));
    }

    public Dataset dataset() {
        return Dataset.only(manifest, kept);
    }

    /**
     * How its row groups become rows, for which the transforms must be {@link #fitted}.
     *
     * @throws UserException if that would run functions of another user
     */
    public Content content() {
        checkTrust();
        return made();
    }

    /**
     * The transforms, to run each by itself.
     *
     * @throws UserException if that would run functions of another user
     */
    List<NamedTransform> transforms() {
        checkTrust();
        return chain.transforms();
    }

    private void checkTrust() {
        if (distrust != null) {
            throw new UserException(distrust);
        }
    }

    /**
     * The ids of its samples, for which no function is run.
     *
     * @param order of this stream
     */
    public SampleIds sampleIds(Order order) {
        return made().sampleIds(order);
    }

    private Content made() {
        return new Content(dataset(), spec.columns(), spec.schema(), chain);
    }

    /** Creates the order; create it once if you need many steps. */
    public Order order() {
        return dataset().order(spec.order());
    }
}
