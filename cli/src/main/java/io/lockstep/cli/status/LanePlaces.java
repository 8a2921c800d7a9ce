package io.lockstep.cli.status;

import io.lockstep.UserException;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.run.RunDirectory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Maps names of places to readers and lanes of a job. */
final class LanePlaces {

    private final List<ServerState> servers;

    /**
     * @throws UserException if there are none, because the job is not running
     */
    LanePlaces(RunDirectory run, List<ServerState> servers) {
        if (servers.isEmpty()) {
            throw new UserException(
                    "the job of "
                            + run.root()
                            + " does not run, so it has no lanes to move: start it first");
        }
        this.servers = servers;
    }

    /** The readers at the given places; a place is a host or a reader's number. */
    List<Integer> readers(Collection<String> places) {
        SortedSet<Integer> readers = new TreeSet<>();
        for (String place : places) {
            List<Integer> found =
                    servers.stream()
                            .filter(server -> isAt(server, place.strip()))
                            .map(server -> server.entry().subtask())
                            .toList();
            if (found.isEmpty()) {
                throw new UsageException(
                        "the job has no reader at '" + place + "': it has " + known());
            }
            readers.addAll(found);
        }
        return List.copyOf(readers);
    }

    private static boolean isAt(ServerState server, String place) {
        return place.equals(server.entry().host())
                || place.equals(Integer.toString(server.entry().subtask()));
    }

    private String known() {
        return servers.stream()
                .map(server -> server.entry().subtask() + " on " + server.entry().host())
                .collect(Collectors.joining(", "));
    }

    /** The other readers: those that answer, or all if none answers in time on a slow machine. */
    List<Integer> others(List<Integer> than) {
        List<ServerState> others =
                servers.stream()
                        .filter(server -> !than.contains(server.entry().subtask()))
                        .toList();
        if (others.isEmpty()) {
            throw new UserException(
                    "there is no other reader that could take the lanes: the job has " + known());
        }
        List<ServerState> answering = others.stream().filter(ServerState::answers).toList();
        return (answering.isEmpty() ? others : answering)
                .stream().map(server -> server.entry().subtask()).toList();
    }

    /** All lanes of the given readers. */
    SortedMap<String, List<Integer>> lanesOf(List<Integer> readers) {
        SortedMap<String, List<Integer>> lanes = new TreeMap<>();
        for (ServerState server : servers) {
            if (readers.contains(server.entry().subtask())) {
                server.entry()
                        .lanes()
                        .forEach(
                                (stream, numbers) ->
                                        lanes.computeIfAbsent(stream, name -> new ArrayList<>())
                                                .addAll(numbers));
            }
        }
        return lanes;
    }

    /**
     * Returns lanes by number.
     *
     * @param stream null for all streams that have any of the lanes
     */
    SortedMap<String, List<Integer>> lanes(SortedSet<Integer> numbers, String stream) {
        if (stream != null) {
            return new TreeMap<>(Map.of(stream, List.copyOf(numbers)));
        }
        SortedMap<String, List<Integer>> lanes = lanesOf(readers());
        lanes.replaceAll((name, present) -> present.stream().filter(numbers::contains).toList());
        lanes.values().removeIf(List::isEmpty);
        SortedSet<Integer> unknown = new TreeSet<>(numbers);
        lanes.values().forEach(unknown::removeAll);
        if (!unknown.isEmpty()) {
            throw new UsageException(
                    "no stream of the run has "
                            + Waits.lanes(List.copyOf(unknown))
                            + ": 'lockstep lanes' shows those it has");
        }
        return lanes;
    }

    private List<Integer> readers() {
        return servers.stream().map(server -> server.entry().subtask()).toList();
    }
}
