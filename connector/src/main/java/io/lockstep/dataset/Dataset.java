package io.lockstep.dataset;

import io.lockstep.manifest.Manifest;

/**
 * A sealed dataset within a stream. A sample's id in the stream is the dataset's first id plus the
 * sample's id in the dataset, so that a stream can have several datasets, each with ids of its own.
 *
 * @param manifest the files and row groups
 * @param firstSample the id of its first sample
 */
public record Dataset(Manifest manifest, long firstSample) {

    /** The only dataset of a stream. */
    public static Dataset only(Manifest manifest) {
        return new Dataset(manifest, 0);
    }

    /** Names the content: the manifest's digest. */
    public String version() {
        return manifest.digest();
    }

    /** The id in the stream of a sample of this dataset. */
    public long sample(long inDataset) {
        return firstSample + inDataset;
    }

    /** The id after that of the last sample: the first id of the next dataset. */
    public long endSample() {
        return firstSample + manifest.rows();
    }
}
