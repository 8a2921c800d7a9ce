package io.lockstep.source.enumerator;

import io.lockstep.UserException;
import io.lockstep.batch.Wire;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.order.Order;
import io.lockstep.order.OrderException;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
     * Seals all streams.
     *
     * @param remembered digests that a checkpoint names, by stream: they must be those of the run
     *     directory
     */
    public List<StreamInfo> seal(List<StreamSpec> specs, Map<String, String> remembered)
            throws IOException {
        List<StreamInfo> infos = new ArrayList<>();
        for (StreamSpec spec : specs) {
            infos.add(seal(spec, remembered.get(spec.name())));
        }
        return infos;
    }

    private StreamInfo seal(StreamSpec spec, String remembered) throws IOException {
        ManifestStore manifests = new ManifestStore(run.manifests());
        Optional<StreamSeal> present = run.readStream(spec.name());
        String digest =
                remembered != null ? remembered : present.map(StreamSeal::manifest).orElse(null);
        Manifest manifest =
                digest != null
                        ? manifests.load(digest)
                        : ManifestPlanner.plan(spec.data(), progress);
        StreamInfo info = describe(spec, manifest);
        if (present.isPresent() && !present.get().fingerprint().equals(info.fingerprint())) {
            throw new UserException(
                    "the run directory "
                            + run.root()
                            + " holds a run whose stream '"
                            + spec.name()
                            + "' has another order or dataset (fingerprint "
                            + present.get().fingerprint()
                            + ", now "
                            + info.fingerprint()
                            + "): choose another run directory, or the settings of that run");
        }
        if (digest == null) {
            manifests.seal(manifest);
        }
        run.writeStream(spec.name(), new StreamSeal(info.manifest(), info.fingerprint()));
        return info;
    }

    /** What the trainers will be told of a stream. */
    public static StreamInfo describe(StreamSpec spec, Manifest manifest) {
        Order order = order(spec, manifest);
        return new StreamInfo(
                spec.name(),
                Wire.schema(manifest.select(spec.columns())).serializeAsMessage(),
                spec.order(),
                order.steps(),
                spec.epochs(),
                manifest.rows(),
                manifest.digest(),
                order.fingerprint(manifest.digest()));
    }

    private static Order order(StreamSpec spec, Manifest manifest) {
        try {
            return new Order(spec.order(), manifest.rowGroupRows());
        } catch (OrderException e) {
            throw new UserException("the stream '" + spec.name() + "': " + e.getMessage(), e);
        }
    }
}
