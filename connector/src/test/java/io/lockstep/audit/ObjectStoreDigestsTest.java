package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.RunDirectory;
import io.lockstep.testing.ObjectStoreFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Digests in an object store, where a rename does not replace an existing file. */
@DisabledForJreRange(min = JRE.JAVA_24, disabledReason = "Hadoop in the plugin needs less")
class ObjectStoreDigestsTest {

    @RegisterExtension private final ObjectStoreFileSystem objects = new ObjectStoreFileSystem();

    private final RunDirectory run = new RunDirectory("s3://bucket/runs/a");

    @Test
    void digestsAreKeptAndDropped() throws Exception {
        DigestArchive archive = new DigestArchive(run);
        assertThat(archive.streams()).isEmpty();
        try (DigestWriter writer = DigestWriter.open(run, new DigestRetention(1))) {
            for (int epoch = 0; epoch < 3; epoch++) {
                writer.add(DigestRows.served("train", epoch, 0));
                for (int part = 0; part < 3; part++) {
                    DigestRows.consumed(1, epoch, 100 * part, 100 * part + 100)
                            .forEach(writer::add);
                    writer.whenDurable().get();
                }
            }
        }
        assertThat(archive.epochs("train")).containsExactly(1L, 2L);
        assertThat(archive.lookup("train", 2, 299)).isPresent();
        assertThat(archive.last("train", DigestRow.Kind.CONSUMED)).hasValue(new StepKey(2, 299));
        // Each write puts one object, which replaces the previous one.
        assertThat(objects.store().uploaded()).hasSize(9);
    }
}
