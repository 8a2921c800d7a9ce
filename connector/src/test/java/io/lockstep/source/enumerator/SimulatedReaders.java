package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.source.event.LanesOffered;
import io.lockstep.source.event.LanesRecalled;
import io.lockstep.source.event.LanesReleased;
import io.lockstep.source.event.OfferAnswered;
import io.lockstep.source.feedback.TrainerAnswered;
import io.lockstep.source.feedback.TrainerAsked;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.testutils.source.reader.TestingSplitEnumeratorContext;

/**
 * An enumerator and readers that behave like the real ones, but process one message at a time:
 * messages in both directions wait until a test delivers them and are lost if their reader fails.
 */
final class SimulatedReaders extends TestingSplitEnumeratorContext<LaneSplit> {

    private record Message(int reader, Runnable delivery) {}

    private final Queue<Message> underWay = new LinkedList<>();
    private final Map<Integer, SortedSet<LaneSplit>> lanes = new TreeMap<>();
    private final List<Reply.OfRun> replies = new ArrayList<>();
    private final Map<Integer, String> refusals = new HashMap<>();
    private TrainingEnumerator enumerator;

    private SimulatedReaders(int parallelism) {
        super(parallelism);
    }

    /** Starts an enumerator, and registers all readers, each on its own host. */
    static SimulatedReaders start(
            int parallelism, Function<SimulatedReaders, TrainingEnumerator> enumerator) {
        SimulatedReaders readers = new SimulatedReaders(parallelism);
        readers.enumerator = enumerator.apply(readers);
        readers.enumerator.start();
        readers.triggerAllActions();
        for (int reader = 0; reader < parallelism; reader++) {
            readers.register(reader);
        }
        readers.deliverAll();
        return readers;
    }

    @Override
    public void sendEventToSourceReader(int reader, SourceEvent event) {
        assertThat(registeredReaders()).as("%s has somebody to go to", event).containsKey(reader);
        underWay.add(new Message(reader, () -> receive(reader, event)));
    }

    @Override
    public void assignSplits(SplitsAssignment<LaneSplit> splits) {
        splits.assignment()
                .forEach(
                        (reader, assigned) -> {
                            assertThat(registeredReaders()).containsKey(reader);
                            underWay.add(
                                    new Message(reader, () -> lanes.get(reader).addAll(assigned)));
                        });
    }

    private void receive(int reader, SourceEvent event) {
        if (event instanceof LanesOffered offer) {
            send(reader, new OfferAnswered(offer.move(), refusals.get(reader)));
        } else if (event instanceof LanesRecalled recalled) {
            assertThat(lanes.get(reader)).containsAll(recalled.lanes());
            recalled.lanes().forEach(lanes.get(reader)::remove);
            send(reader, new LanesReleased(recalled.move(), recalled.lanes()));
        } else if (event instanceof TrainerAnswered answered) {
            replies.add(answered.reply());
        }
    }

    private void send(int reader, SourceEvent event) {
        underWay.add(new Message(reader, () -> enumerator.handleSourceEvent(reader, event)));
    }

    /** Makes a reader refuse further lanes. */
    void refuse(int reader, String why) {
        refusals.put(reader, why);
    }

    /** Sends a request to the enumerator through a reader. */
    void ask(int reader, Request.ToRun request) {
        send(reader, new TrainerAsked(1, request));
    }

    List<Reply.OfRun> replies() {
        return replies;
    }

    /** Delivers the oldest message; returns false if there is none. */
    boolean deliver() {
        Message next = underWay.poll();
        if (next != null) {
            next.delivery().run();
            assertNoLaneHasTwoReaders();
        }
        return next != null;
    }

    void deliverAll() {
        while (deliver()) {
            assertThat(underWay.size()).as("messages under way").isLessThan(1000);
        }
    }

    /** Fails a reader's task: Flink unregisters the reader and resets it before it restarts. */
    void fail(int reader) {
        registeredReaders().remove(reader);
        lanes.remove(reader);
        underWay.removeIf(message -> message.reader() == reader);
    }

    void reset(int reader) {
        enumerator.addSplitsBack(List.of(), reader);
    }

    /** Registers a reader without lanes: the splits of its state were reported, not restored. */
    void register(int reader) {
        register(reader, List.of());
    }

    /** Registers a reader that reports lanes from its state. */
    void register(int reader, List<LaneSplit> reported) {
        registeredReaders()
                .put(reader, ReaderInfo.createReaderInfo(reader, "host-" + reader, reported));
        lanes.put(reader, new TreeSet<>());
        enumerator.addReader(reader);
    }

    /** The enumerator's state in a checkpoint taken now. */
    EnumeratorState checkpoint() {
        return enumerator.snapshotState(1);
    }

    Map<Integer, SortedSet<LaneSplit>> lanes() {
        return lanes;
    }

    private void assertNoLaneHasTwoReaders() {
        List<LaneSplit> all = lanes.values().stream().flatMap(SortedSet::stream).toList();
        assertThat(all).doesNotHaveDuplicates();
    }
}
