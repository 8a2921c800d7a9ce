package io.lockstep.cli.status;

import io.lockstep.audit.DigestArchive;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.servers.ServerProbe;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.run.GenerationEntry;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The status of a run at one moment.
 *
 * @param root the run directory
 * @param generation the newest launch of trainers, if any
 * @param epochs of each stream
 * @param sinceArrival time since a new rank or server was last heard of
 * @param servers by subtask
 * @param proof how complete the record of served and consumed steps is
 */
record RunStatus(
        String root,
        Optional<GenerationEntry> generation,
        Map<String, Integer> epochs,
        Duration sinceArrival,
        List<ServerState> servers,
        Proof proof) {

    static RunStatus of(PastRun run) throws IOException {
        List<ServerState> servers = ServerProbe.ask(run.directory());
        return new RunStatus(
                run.directory().root(),
                run.directory().readGeneration(),
                run.settings().streams().stream()
                        .collect(Collectors.toMap(StreamSpec::name, StreamSpec::epochs)),
                Duration.between(
                        run.directory().lastArrival().orElseGet(Instant::now), Instant.now()),
                servers,
                Proof.of(new DigestArchive(run.directory()), servers));
    }

    /** Who waits for whom, one sentence each. */
    List<String> waits() {
        List<String> sentences = new ArrayList<>();
        if (!servers.isEmpty() && !done()) {
            sentences.addAll(Attendance.of(generation, sinceArrival));
        }
        sentences.addAll(new Waits(epochs).of(servers));
        for (ServerState server : servers) {
            if (!server.answers()) {
                sentences.add(
                        "the lanes of server "
                                + server.entry().subtask()
                                + " wait for it to answer, or for its task to restart");
            }
        }
        return sentences;
    }

    /** Whether every rank has finished. */
    boolean done() {
        return generation.map(GenerationEntry::done).orElse(false);
    }
}
