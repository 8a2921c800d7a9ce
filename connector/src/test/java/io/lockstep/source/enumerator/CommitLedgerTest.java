package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.CommitReport;
import org.junit.jupiter.api.Test;

/** Reports come from a world of two ranks. */
class CommitLedgerTest {

    private final CommitLedger ledger = new CommitLedger();

    @Test
    void anEntryIsCompleteWithAllRanks() {
        commit(1, 5, 0, null);

        assertThat(ledger.newest("train")).isEmpty();

        commit(1, 5, 1, null);

        assertThat(ledger.newest("train")).map(CommitEntry::number).contains(1L);
        assertThat(ledger.newest("eval")).isEmpty();
    }

    @Test
    void aRepeatedReportChangesNothing() {
        commit(1, 5, 0, "a");
        commit(1, 5, 1, "b");
        commit(1, 5, 0, "a");

        assertThat(ledger.reports()).hasSize(2);
        assertThat(ledger.newest("train")).map(CommitEntry::number).contains(1L);
    }

    @Test
    void aStepThatIsCommittedAgainOtherwiseIsANewEntry() {
        commit(1, 5, 0, "a");
        commit(1, 5, 1, "b");
        commit(1, 5, 0, "c");

        assertThat(ledger.newest("train")).map(CommitEntry::number).contains(1L);

        commit(1, 5, 1, "d");

        assertThat(ledger.newest("train")).map(entry -> entry.of(0).generators()).contains("c");
    }

    @Test
    void theNewestIsTheLastBegunAndNotTheFurthest() {
        commit(1, 500, 0, null);
        commit(1, 500, 1, null);
        commit(2, 100, 0, null);
        commit(2, 100, 1, null);

        assertThat(ledger.newest("train")).map(entry -> entry.of(0).step()).contains(100L);
    }

    @Test
    void keepsTheLastFewAndWhatIsIncompleteAfterThem() {
        for (int step = 1; step <= CommitLedger.KEPT; step++) {
            commit(1, step, 0, null);
            commit(1, step, 1, null);
        }
        commit(1, 50, 0, null);
        assertThat(ledger.prune("train")).isEmpty();

        commit(1, 60, 0, null);
        commit(1, 60, 1, null);

        assertThat(ledger.prune("train")).containsExactly(1L);
        assertThat(ledger.reports())
                .extracting(CommitReport::step)
                .doesNotContain(1L)
                .contains(50L);
    }

    @Test
    void aRankThatWasNotThereGetsTheStateOfRank0() {
        commit(1, 5, 0, "a");
        commit(1, 5, 1, "b");

        assertThat(ledger.newest("train").orElseThrow().of(1).generators()).isEqualTo("b");
        assertThat(ledger.newest("train").orElseThrow().of(7).rank()).isZero();
    }

    private void commit(long generation, long step, int rank, String generators) {
        CommitReport report =
                new CommitReport(0, "train", generation, 2, 0, step, rank, "{}", generators);
        ledger.add(CommitLedger.numbered(report, ledger.open(report).number()));
    }
}
