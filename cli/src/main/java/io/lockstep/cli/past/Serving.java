package io.lockstep.cli.past;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.audit.DigestRow;
import io.lockstep.audit.Evidence;
import java.io.IOException;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * A position at which a run served a sample.
 *
 * @param padding whether the sample only padded the step
 * @param evidence the lane's record
 */
public record Serving(
        long epoch, long step, int lane, int place, boolean padding, SortedSet<Evidence> evidence) {

    /** As text. */
    public String sentence() {
        String where =
                "epoch "
                        + epoch
                        + ", step "
                        + step
                        + ", lane "
                        + lane
                        + ", place "
                        + place
                        + (padding ? " (padding)" : "");
        String consumed = ranks(DigestRow.Kind.CONSUMED);
        return consumed.isEmpty()
                ? where
                        + ": served to "
                        + ranks(DigestRow.Kind.SERVED)
                        + ", and not recorded as consumed"
                : where + ": consumed by " + consumed;
    }

    private String ranks(DigestRow.Kind kind) {
        return evidence.stream()
                .filter(record -> record.kind() == kind)
                .map(record -> "rank " + record.rank() + " of generation " + record.generation())
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /** As JSON. */
    public void write(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("epoch", epoch);
        out.writeNumberField("step", step);
        out.writeNumberField("lane", lane);
        out.writeNumberField("place", place);
        out.writeBooleanField("padding", padding);
        write("consumed", DigestRow.Kind.CONSUMED, out);
        write("served", DigestRow.Kind.SERVED, out);
        out.writeEndObject();
    }

    private void write(String name, DigestRow.Kind kind, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (Evidence record : evidence) {
            if (record.kind() == kind) {
                out.writeStartObject();
                out.writeNumberField("generation", record.generation());
                out.writeNumberField("rank", record.rank());
                out.writeStringField("digest", record.digest().toString());
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }
}
