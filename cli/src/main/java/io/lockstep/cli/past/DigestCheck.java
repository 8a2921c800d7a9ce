package io.lockstep.cli.past;

import io.lockstep.Plural;
import io.lockstep.audit.RecordedStep;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a rebuilt step equals the recorded one.
 *
 * @param differs whether a lane differs
 * @param sentence the result as text
 */
record DigestCheck(boolean differs, String sentence) {

    /**
     * @param lanes the rebuilt lanes, ascending
     * @param made their digests
     */
    static DigestCheck of(Optional<RecordedStep> recorded, int[] lanes, List<Digest128> made) {
        if (recorded.isEmpty()) {
            return new DigestCheck(
                    false, "the run has no record of this step, so its digest cannot be compared");
        }
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            Set<Digest128> known = recorded.get().digests(lanes[i]);
            if (known.isEmpty()) {
                missing.add(lanes[i]);
            } else if (!known.equals(Set.of(made.get(i)))) {
                return new DigestCheck(true, difference(lanes[i], made.get(i), known));
            }
        }
        if (missing.size() == lanes.length) {
            return new DigestCheck(
                    false,
                    "the run did not record these lanes of the step, so their digests cannot be"
                            + " compared");
        }
        return new DigestCheck(
                false,
                missing.isEmpty()
                        ? "its digest "
                                + StepDigests.step(made)
                                + " over "
                                + Plural.of(lanes.length, "lane")
                                + " is the recorded one"
                        : "the digests are the recorded ones, but for lanes without a record: "
                                + missing);
    }

    private static String difference(int lane, Digest128 made, Set<Digest128> known) {
        return "lane "
                + lane
                + " is NOT the recorded one: its digest is "
                + made
                + ", and recorded is "
                + known.stream().map(Digest128::toString).collect(Collectors.joining(" and "))
                + "; what was served is not what the sealed manifest gives now";
    }
}
