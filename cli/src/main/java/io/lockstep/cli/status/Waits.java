package io.lockstep.cli.status;

import io.lockstep.cli.servers.ServerState;
import io.lockstep.protocol.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who waits for whom: one sentence for each rank and step with wanted lanes. */
final class Waits {

    /** A waiting trainer repeats its call; between two calls it still waits. */
    private static final long BETWEEN_CALLS_MILLIS = 2_000;

    /** The position for which lanes are wanted. */
    private record Place(String stream, long generation, int rank, long epoch, long step)
            implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int order = stream.compareTo(other.stream);
            order = order != 0 ? order : Integer.compare(rank, other.rank);
            order = order != 0 ? order : Long.compare(epoch, other.epoch);
            order = order != 0 ? order : Long.compare(step, other.step);
            return order != 0 ? order : Long.compare(generation, other.generation);
        }
    }

    /** One lane of a position. */
    private record Lane(int subtask, int lane, Reply.LanePosition position) {}

    private final Map<String, Integer> epochs;

    /**
     * @param epochs of each stream
     */
    Waits(Map<String, Integer> epochs) {
        this.epochs = epochs;
    }

    /** The sentences, ordered by stream and rank. */
    List<String> of(List<ServerState> servers) {
        Map<Place, List<Lane>> places = new TreeMap<>();
        Map<String, List<Integer>> unwanted = new TreeMap<>();
        servers.stream()
                .filter(ServerState::answers)
                .forEach(server -> sort(server, places, unwanted));
        List<String> sentences = new ArrayList<>();
        places.forEach((place, lanes) -> sentences.add(sentence(place, lanes)));
        unwanted.forEach(
                (stream, lanes) ->
                        sentences.add("nobody wants " + lanes(lanes) + " of " + stream + " now"));
        return sentences;
    }

    private static void sort(
            ServerState server,
            Map<Place, List<Lane>> places,
            Map<String, List<Integer>> unwanted) {
        server.stats()
                .lanes()
                .forEach(
                        (stream, lanes) ->
                                lanes.forEach(
                                        (number, lane) -> {
                                            Reply.LanePosition at = lane.position();
                                            if (at == null) {
                                                unwanted.computeIfAbsent(
                                                                stream, key -> new ArrayList<>())
                                                        .add(number);
                                                return;
                                            }
                                            places.computeIfAbsent(
                                                            place(stream, at),
                                                            key -> new ArrayList<>())
                                                    .add(
                                                            new Lane(
                                                                    server.entry().subtask(),
                                                                    number,
                                                                    at));
                                        }));
    }

    private static Place place(String stream, Reply.LanePosition at) {
        return new Place(stream, at.generation(), at.rank(), at.epoch(), at.step());
    }

    private String sentence(Place place, List<Lane> lanes) {
        String step = place.stream() + " epoch " + place.epoch() + ", step " + place.step();
        List<Lane> asked = lanes.stream().filter(Waits::isAsked).toList();
        List<Lane> missing = asked.stream().filter(lane -> !lane.position().ready()).toList();
        if (!missing.isEmpty()) {
            return "rank "
                    + place.rank()
                    + " waits for "
                    + step
                    + " since "
                    + seconds(longest(missing.stream().map(lane -> lane.position().waitingMs())))
                    + ": "
                    + whose(missing)
                    + " not made yet";
        }
        if (!asked.isEmpty()) {
            return step + " is on its way to rank " + place.rank();
        }
        if (place.epoch() >= epochs.getOrDefault(place.stream(), Integer.MAX_VALUE)) {
            return "rank " + place.rank() + " has taken the last step of " + place.stream();
        }
        return whose(lanes)
                + " waiting for rank "
                + place.rank()
                + " since "
                + seconds(longest(lanes.stream().map(lane -> lane.position().idleMs())))
                + ": "
                + step
                + (lanes.stream().allMatch(lane -> lane.position().ready())
                        ? " is ready"
                        : " comes next");
    }

    private static boolean isAsked(Lane lane) {
        Reply.LanePosition at = lane.position();
        return at.waitingMs() != null
                && (at.idleMs() == null || at.idleMs() < BETWEEN_CALLS_MILLIS);
    }

    private static long longest(Stream<Long> millis) {
        return millis.mapToLong(value -> value == null ? 0 : value).max().orElse(0);
    }

    /** Lanes with their servers, and the verb. */
    private static String whose(List<Lane> lanes) {
        Map<Integer, List<Integer>> byServer =
                lanes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Lane::subtask,
                                        TreeMap::new,
                                        Collectors.mapping(Lane::lane, Collectors.toList())));
        return byServer.entrySet().stream()
                        .map(server -> lanes(server.getValue()) + " of server " + server.getKey())
                        .collect(Collectors.joining(" and "))
                + (lanes.size() == 1 ? " is" : " are");
    }

    /** Numbers with adjacent ones merged: {@code lanes 0-3, 7}. */
    static String lanes(List<Integer> numbers) {
        List<Integer> sorted = numbers.stream().sorted().toList();
        List<String> ranges = new ArrayList<>();
        int first = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || sorted.get(i) != sorted.get(i - 1) + 1) {
                int begin = sorted.get(first);
                int end = sorted.get(i - 1);
                ranges.add(begin == end ? "" + begin : begin + "-" + end);
                first = i;
            }
        }
        return (sorted.size() == 1 ? "lane " : "lanes ") + String.join(", ", ranges);
    }

    /** A readable duration. */
    static String seconds(long millis) {
        Duration time = Duration.ofMillis(millis);
        if (time.toMinutes() == 0) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toHours() + " h " + time.toMinutesPart() + " min";
    }
}
