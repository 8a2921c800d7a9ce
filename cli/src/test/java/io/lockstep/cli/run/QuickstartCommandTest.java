package io.lockstep.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The final output of the quick start. */
class QuickstartCommandTest {

    @Test
    void tellsTheAccuracyWhereProgressCameAfterIt() {
        List<String> log =
                List.of(
                        "epoch 14: held-out accuracy 97.2%",
                        "train  epoch 15/15  step 22/22  5,737 samples/s",
                        "epoch 15: held-out accuracy 96.9%",
                        "eval  step 6/6  13,579 samples/s");
        assertThat(QuickstartCommand.lastAccuracy(log))
                .isEqualTo("epoch 15: held-out accuracy 96.9%");
    }
}
