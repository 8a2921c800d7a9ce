package io.lockstep.source.enumerator;

import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.util.List;
import java.util.Optional;

/**
 * Rejects requests with ranks, worlds or steps that the run does not have. The servers have already
 * checked the form of a request; this check needs the current generation, which only the enumerator
 * knows.
 */
final class RankCheck {

    private List<StreamInfo> streams = List.of();

    /** Sets the streams of the run. */
    void sealed(List<StreamInfo> now) {
        streams = List.copyOf(now);
    }

    /**
     * Returns why a request is invalid; empty if it is valid or its generation is fenced.
     *
     * @param world of the current generation
     */
    Optional<TrainerReply> refusal(TrainerRequest request, long generation, int world) {
        if (request instanceof TrainerRequest.Register register) {
            return ofWorld(register);
        } else if (request instanceof TrainerRequest.Closed closed
                && closed.generation() == generation) {
            return ofRank(closed.rank(), world);
        } else if (request instanceof TrainerRequest.Start start
                && start.generation() == generation) {
            return ofRank(start.rank(), world).or(() -> ofStream(start.stream()));
        } else if (request instanceof TrainerRequest.Commit commit
                && commit.generation() == generation) {
            return ofRank(commit.rank(), world).or(() -> ofStep(commit));
        } else if (request instanceof TrainerRequest.Resume resume
                && resume.generation() == generation) {
            return ofRank(resume.rank(), world).or(() -> ofStream(resume.stream()));
        }
        return Optional.empty();
    }

    private Optional<TrainerReply> ofWorld(TrainerRequest.Register request) {
        if (streams.isEmpty()) {
            return planned();
        }
        int most = streams.stream().mapToInt(stream -> stream.order().lanes()).max().orElse(0);
        if (request.world() >= 1 && request.world() <= most) {
            return Optional.empty();
        }
        return refused(
                String.format(
                        "there can be no world of %d: the run has %d lanes, so start 1 to %d ranks",
                        request.world(), most, most));
    }

    private static Optional<TrainerReply> planned() {
        return Optional.of(
                new TrainerReply.Pending("the streams of the run are still being planned"));
    }

    private static Optional<TrainerReply> ofRank(int rank, int world) {
        return rank < 0 || rank >= world
                ? refused("rank " + rank + " is not one of a world of " + world)
                : Optional.empty();
    }

    private Optional<TrainerReply> ofStream(String name) {
        return streams.isEmpty() || find(name).isPresent()
                ? Optional.empty()
                : Optional.of(
                        new TrainerReply.Refused(
                                "unknown-stream", "the run has no stream '" + name + "'"));
    }

    private Optional<StreamInfo> find(String name) {
        return streams.stream().filter(stream -> stream.name().equals(name)).findFirst();
    }

    /** A commit's position is a step of the run's epochs, or the end of the last epoch. */
    private Optional<TrainerReply> ofStep(TrainerRequest.Commit commit) {
        Optional<StreamInfo> stream = find(commit.stream());
        if (stream.isEmpty()) {
            return streams.isEmpty() ? planned() : ofStream(commit.stream());
        }
        long epoch = commit.epoch();
        long step = commit.step();
        boolean isAtEnd = epoch == stream.get().epochs() && step == 0;
        boolean isInside =
                0 <= epoch
                        && epoch < stream.get().epochs()
                        && 0 <= step
                        && step < stream.get().table().of(epoch).steps();
        return isAtEnd || isInside
                ? Optional.empty()
                : refused(
                        String.format(
                                "there is no step %d in epoch %d of the stream '%s' to commit",
                                step, epoch, commit.stream()));
    }

    private static Optional<TrainerReply> refused(String message) {
        return Optional.of(new TrainerReply.Refused("refused", message));
    }
}
