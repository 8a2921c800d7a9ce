package io.lockstep.cli.status;

import io.lockstep.cli.console.UsageException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses lane numbers such as {@code 3} or {@code 0-3}. */
final class LaneNumbers {

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /** The most lanes of any order. */
    private static final int MAX = 1 << 20;

    private LaneNumbers() {}

    static SortedSet<Integer> parse(List<String> parts) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (String part : parts) {
            Matcher found = PART.matcher(part.strip());
            if (!found.matches()) {
                throw invalid(part);
            }
            int first = Integer.parseInt(found.group(1));
            int last = found.group(2) == null ? first : Integer.parseInt(found.group(2));
            if (last < first || last >= MAX) {
                throw invalid(part);
            }
            for (int lane = first; lane <= last; lane++) {
                numbers.add(lane);
            }
        }
        return numbers;
    }

    private static UsageException invalid(String part) {
        return new UsageException(
                "'" + part + "' is no lane and no range of lanes: write 3, or 0-3, or 0-3,7");
    }
}
