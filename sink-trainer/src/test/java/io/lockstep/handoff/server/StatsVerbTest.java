package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server's statistics of its lanes and their consumers. */
class StatsVerbTest extends ProtocolTestBase {

    @Test
    void statsTellWhoWaitsForWhichStep() throws Exception {
        assertThat(raw.call("stats", "{}").at("/lanes/train/0").has("position")).isFalse();
        CompletableFuture<JsonNode> get = waitingGet(attach());
        JsonNode lanes = raw.call("stats", "{}").at("/lanes/train");
        JsonNode waiting = lanes.at("/0/position");
        assertThat(waiting.get("generation").asLong()).isEqualTo(1);
        assertThat(waiting.get("rank").asInt()).isZero();
        assertThat(waiting.get("epoch").asLong()).isZero();
        assertThat(waiting.get("step").asLong()).isZero();
        assertThat(waiting.get("ready").asBoolean()).isFalse();
        assertThat(waiting.get("waitingMs").asLong()).isNotNegative();
        assertThat(waiting.has("idleMs")).isFalse();
        // Of the same group.
        assertThat(lanes.at("/1/position/ready").asBoolean()).isFalse();

        fixture.job.resume(0);
        get.join();
        JsonNode served = raw.call("stats", "{}").at("/lanes/train/0/position");
        assertThat(served.get("step").asLong()).isEqualTo(1);
        assertThat(served.has("waitingMs")).isFalse();
        assertThat(served.get("idleMs").asLong()).isNotNegative();
    }

    @Test
    void aWaitLastsFromTheFirstOfItsCalls() throws Exception {
        fixture.job.pause(2);
        String get = "{%s,'lanes':[2],'epoch':0,'step':%d,'upTo':9,'waitMs':40}";
        long before = System.nanoTime();
        raw.stream(get, WHO, 3);
        raw.stream(get, WHO, 3);
        raw.stream(get, WHO, 3);

        JsonNode position = raw.call("stats", "{}").at("/lanes/train/2/position");
        long waiting = position.get("waitingMs").asLong();
        assertThat(waiting).isLessThanOrEqualTo((System.nanoTime() - before) / 1_000_000);
        assertThat(waiting - position.get("idleMs").asLong()).isGreaterThan(75);
    }

    @Test
    void statsCountByLane() throws Exception {
        raw.stream("{%s,'lanes':[2],%s,'waitMs':5000}", WHO, FIRST_STEP);
        JsonNode stats = raw.call("stats", "{}");
        assertThat(stats.get("served").asInt()).isEqualTo(1);
        assertThat(stats.at("/lanes/train/2/served").asInt()).isEqualTo(1);
        assertThat(stats.at("/lanes/eval/3/emitted").asInt()).isZero();
    }
}
