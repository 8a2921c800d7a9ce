package io.lockstep.source.enumerator;

import io.lockstep.UserException;
import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.order.Order;
import io.lockstep.order.OrderException;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.TransformsDigest;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Seals the streams of a run: what a run directory holds already is taken as it is, whatever has
 * become of the dataset since; the rest is listed once and written there.
 */
public final class StreamSealer {

    private final RunDirectory run;
    private final Progress progress;

    /**
     * @param progress told how many footers have been read
     */
    public StreamSealer(RunDirectory run, Progress progress) {
        this.run = run;
        this.progress = progress;
    }

    /**
     * Seals all streams, or none of them where one is refused.
     *
     * @param remembered digests that a checkpoint names, by stream: they must be those of the run
     *     directory
     */
    public List<StreamInfo> seal(List<StreamSpec> specs, Map<String, String> remembered)
            throws IOException {
        ManifestStore manifests = new ManifestStore(run.manifests());
        List<Manifest> listed = new ArrayList<>();
        List<StreamInfo> infos = new ArrayList<>();
        Map<String, StreamSeal> seals = new LinkedHashMap<>();
        for (StreamSpec spec : specs) {
            Optional<StreamSeal> present = run.readStream(spec.name());
            String digest =
                    remembered.getOrDefault(
                            spec.name(), present.map(StreamSeal::manifest).orElse(null));
            Manifest manifest;
            if (digest != null) {
                manifest = manifests.load(digest);
            } else {
                manifest = ManifestPlanner.plan(spec.data(), progress);
                listed.add(manifest);
            }
            StreamInfo info = describe(spec, manifest);
            StreamSeal seal =
                    new StreamSeal(info.manifest(), info.fingerprint(), columns(spec, manifest));
            if (present.isPresent()) {
                check(spec.name(), present.get(), seal);
            }
            infos.add(info);
            seals.put(spec.name(), seal);
        }
        for (Manifest manifest : listed) {
            manifests.seal(manifest);
        }
        for (Map.Entry<String, StreamSeal> seal : seals.entrySet()) {
            run.writeStream(seal.getKey(), seal.getValue());
        }
        return infos;
    }

    private static List<String> columns(StreamSpec spec, Manifest manifest) {
        return manifest.select(spec.columns()).getFields().stream().map(Field::getName).toList();
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

    /** What the trainers will be told of a stream. */
    public static StreamInfo describe(StreamSpec spec, Manifest manifest) {
        Order order = order(spec, manifest);
        Schema wire = Wire.schema(manifest.select(spec.columns()));
        return new StreamInfo(
                spec.name(),
                wire.serializeAsMessage(),
                spec.order(),
                EpochTable.constant(order.steps(), manifest.rows(), manifest.digest()),
                spec.epochs(),
                manifest.digest(),
                order.fingerprint(manifest.digest()),
                TransformsDigest.of(wire));
    }

    private static Order order(StreamSpec spec, Manifest manifest) {
        try {
            return new Order(spec.order(), manifest.rowGroupRows());
        } catch (OrderException e) {
            throw new UserException("the stream '" + spec.name() + "': " + e.getMessage(), e);
        }
    }
}
