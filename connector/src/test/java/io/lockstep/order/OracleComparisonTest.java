package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the order with the executable specification, number by number, on random cases. */
class OracleComparisonTest {

    private static final int CASES = 500;

    @Test
    void randomSettings(@TempDir Path directory) throws Exception {
        assumeTrue(Oracle.runs(), "the oracle needs a python3 on the PATH");
        List<RandomCase> cases = RandomCase.any(CASES).toList();
        List<JsonNode> answers = new Oracle(directory).answers(cases);
        assertThat(answers).hasSameSizeAs(cases);
        int refused = 0;
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).has("refused")) {
                refused++;
                assertThatThrownBy(cases.get(i)::order)
                        .as("%s", cases.get(i))
                        .isInstanceOf(OrderException.class);
            } else {
                assertEqual(cases.get(i), answers.get(i));
            }
        }
        assertThat(refused).isBetween(1, CASES / 2);
    }

    private static void assertEqual(RandomCase drawn, JsonNode answer) {
        Order order = drawn.order();
        OrderSettings settings = order.settings();
        JsonNode steps = answer.get("steps");
        assertThat(order.fingerprint("manifest")).isEqualTo(answer.get("fingerprint").asText());
        assertThat(order.steps()).as("steps of %s", drawn).isEqualTo(steps.size());
        StepReader reader = new StepReader(order, drawn.epoch());
        for (int step = 0; step < steps.size(); step++) {
            StepPlan plan = reader.step(step);
            for (int lane = 0; lane < settings.lanes(); lane++) {
                assertThat(places(plan, lane, settings.perLane()))
                        .as("step %d, lane %d of %s", step, lane, drawn)
                        .isEqualTo(places(steps.get(step).get(lane)));
            }
        }
        for (int lane = 0; lane < settings.lanes() && drawn.hasOwnRowsPerLane(); lane++) {
            assertThat(windows(order.laneEpoch(drawn.epoch(), lane)))
                    .as("windows of lane %d of %s", lane, drawn)
                    .isEqualTo(windows(answer.get("windows").get(lane)));
        }
    }

    private static List<String> places(StepPlan plan, int lane, int places) {
        List<String> found = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            long sample = plan.sample(lane, place);
            found.add(plan.isPadding(lane, place) ? "[" + sample + ",true]" : "" + sample);
        }
        return found;
    }

    private static List<String> places(JsonNode lane) {
        List<String> found = new ArrayList<>();
        lane.forEach(place -> found.add(place.toString()));
        return found;
    }

    private static List<String> windows(LaneEpoch lane) {
        return lane.windows().stream()
                .map(
                        window ->
                                window.slices().stream()
                                        .map(
                                                slice ->
                                                        List.of(
                                                                slice.rowGroup(),
                                                                slice.begin(),
                                                                slice.end()))
                                        .toList()
                                        .toString()
                                        .replace(" ", ""))
                .toList();
    }

    private static List<String> windows(JsonNode lane) {
        List<String> found = new ArrayList<>();
        lane.forEach(window -> found.add(window.toString()));
        return found;
    }
}
