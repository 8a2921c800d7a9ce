package io.lockstep.cli.status;

import io.lockstep.Plural;
import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.StreamProof;
import io.lockstep.cli.servers.ServerState;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * How complete a run's record is.
 *
 * @param recorded steps with a record, over all streams
 * @param lost steps whose records were lost, including those that only a running server knows of
 * @param warning why a server cannot record anything now; null if all can
 */
record Proof(long recorded, long lost, @Nullable String warning) {

    static Proof of(DigestArchive archive, List<ServerState> servers) throws IOException {
        long recorded = 0;
        long lost = 0;
        for (String stream : archive.streams()) {
            StreamProof proof = archive.proof(stream);
            recorded += proof.recorded();
            lost += proof.lost();
        }
        lost +=
                servers.stream()
                        .filter(ServerState::answers)
                        .mapToLong(server -> server.stats().unrecorded())
                        .sum();
        String warning =
                servers.stream()
                        .filter(ServerState::answers)
                        .map(server -> server.stats().warning())
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        return new Proof(recorded, lost, warning);
    }

    /** As text. */
    String sentence() {
        return Plural.of(recorded, "step")
                + " recorded"
                + (lost == 0 ? "" : ", records of " + Plural.of(lost, "step") + " lost")
                + (warning == null ? "" : "; " + warning);
    }
}
