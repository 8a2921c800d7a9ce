package io.lockstep.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.UserException;
import io.lockstep.expression.Expression;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.testing.TestParquet;
import io.lockstep.testing.TestPython;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits: the order's vectors, parts by a column, and shares. */
class SplitTest {

    private static final int ROWS = 1000;

    @TempDir Path directory;

    @Test
    void partsAreThoseOfTheOrdersVectors() throws Exception {
        JsonNode vectors;
        try (InputStream in = getClass().getResourceAsStream("/io/lockstep/order/golden.json")) {
            vectors = new ObjectMapper().readTree(in).get("splits");
        }
        assertThat(vectors).isNotEmpty();
        for (JsonNode vector : vectors) {
            Map<String, Share> shares = new HashMap<>();
            vector.get("shares")
                    .fields()
                    .forEachRemaining(
                            each ->
                                    shares.put(
                                            each.getKey(), Share.parse(each.getValue().asText())));
            Split split =
                    new Split(
                            "train",
                            Long.parseUnsignedLong(vector.get("seed").asText()),
                            shares,
                            null,
                            null);
            SplitRows rest = new SplitRows(split);
            for (int sample = 0; sample < vector.get("parts").size(); sample++) {
                JsonNode part = vector.get("parts").get(sample);
                assertThat(rest.keeps(sample)).isEqualTo(part.isNull());
                for (String name : shares.keySet()) {
                    assertThat(new SplitRows(split.part(name)).keeps(sample))
                            .isEqualTo(name.equals(part.asText()));
                }
            }
        }
    }

    @Test
    void aSelectionCanBeSent() throws Exception {
        Split split = split(Map.of("test", "1/3", "eval", "10%"), "user").part("test");
        RowSelection selection = new RowSelection(Expression.parse("n < 20"), split);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(selection);
        Object copy =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertThat(copy).isEqualTo(selection);
        assertThat(((RowSelection) copy).description()).isEqualTo(selection.description());
    }

    @Test
    void aWholeShareLeavesNothing() {
        Split split = split(Map.of("a", "1/3", "b", "2/3"), null);
        SplitRows rest = new SplitRows(split);
        SplitRows a = new SplitRows(split.part("a"));
        SplitRows b = new SplitRows(split.part("b"));
        for (int sample = 0; sample < ROWS; sample++) {
            assertThat(rest.keeps(sample)).isFalse();
            assertThat(a.keeps(sample)).isNotEqualTo(b.keeps(sample));
        }
    }

    private static Split split(Map<String, String> shares, String by) {
        Map<String, Share> parsed = new HashMap<>();
        shares.forEach((name, share) -> parsed.put(name, Share.parse(share)));
        return new Split("train", 7, parsed, by, null);
    }

    private Manifest manifest() throws Exception {
        Path file =
                TestParquet.write(
                        directory.resolve("part.parquet"),
                        "message m { required int64 x; optional binary user (UTF8);"
                                + " required int32 n; required boolean b; }",
                        ROWS,
                        (row, i) -> {
                            row.add("x", (long) i);
                            if (i % 11 > 0) {
                                row.add("user", "user " + i % 97);
                            }
                            row.add("n", i % 50);
                            row.add("b", i % 2 == 0);
                        });
        return ManifestPlanner.plan(List.of(file.toString()), Progress.NONE);
    }

    private static List<Integer> kept(RowSelection selection, Manifest manifest) throws Exception {
        KeptRowsReader reader = new KeptRowsReader(selection, manifest, SchemaRules.STRICT);
        List<Integer> kept = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            for (int i = 0; i < manifest.rowGroups().size(); i++) {
                for (int row : reader.read(i, allocator)) {
                    kept.add((int) manifest.firstRow(i) + row);
                }
            }
        }
        assertThat(
                        KeptRowsCounter.count(
                                        selection, manifest, SchemaRules.STRICT, Progress.NONE)
                                .total())
                .isEqualTo(kept.size());
        return kept;
    }

    @Test
    void partsAndRestHaveEachRowOnce() throws Exception {
        Manifest manifest = manifest();
        for (String by : new String[] {null, "user", "n"}) {
            Split split = split(Map.of("eval", "10%", "test", "25%"), by);
            List<Integer> all = new ArrayList<>();
            for (Split each : List.of(split, split.part("eval"), split.part("test"))) {
                all.addAll(kept(new RowSelection(null, each), manifest));
            }
            assertThat(all).hasSize(ROWS).doesNotHaveDuplicates();
        }
    }

    @Test
    void aFilterAndASplitKeepWhatBothKeep() throws Exception {
        Manifest manifest = manifest();
        Split eval = split(Map.of("eval", "30%"), null).part("eval");
        Expression filter = Expression.parse("n < 20");
        List<Integer> part = kept(new RowSelection(null, eval), manifest);
        assertThat(kept(new RowSelection(filter, eval), manifest))
                .isEqualTo(part.stream().filter(x -> x % 50 < 20).toList());
        assertThat(new RowSelection(filter, eval).description())
                .containsExactly("filter n < 20", "split seed=7 eval=3/10 part=eval");
    }

    /** By an own computation with xxhash and numpy. */
    @ParameterizedTest
    @ValueSource(strings = {"user", "n"})
    void rowsOfAValueStayTogetherAsSpecified(String by) throws Exception {
        String script =
                """
                import hashlib, struct, sys
                import numpy as np, xxhash
                text = b"order/1\\0split\\0" + struct.pack("<QQQ", 7, 0, 0)
                key = struct.unpack("<QQ", hashlib.sha256(text).digest()[:16])
                for i in range(int(sys.argv[2])):
                    user = b"" if i % 11 == 0 else f"user {i % 97}".encode()
                    value = user if sys.argv[1] == "user" else struct.pack("<i", i % 50)
                    word = np.random.Philox(
                        key=key, counter=xxhash.xxh3_64_intdigest(value) << 128).random_raw()
                    if int(word) < 2**64 // 5:
                        print(i)
                """;
        List<Integer> expected =
                TestPython.run(script, by, String.valueOf(ROWS))
                        .lines()
                        .map(Integer::valueOf)
                        .toList();
        Split eval = split(Map.of("eval", "20%"), by).part("eval");
        assertThat(kept(new RowSelection(null, eval), manifest())).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void aColumnThatCannotDecideIsRefused() throws Exception {
        Manifest manifest = manifest();
        assertRefused(
                manifest,
                "usr",
                "the split is by the column \"usr\", and there is none. Did you mean \"user\"?");
        assertRefused(manifest, "b", "the split cannot be by the column \"b\" of type bool");
    }

    private static void assertRefused(Manifest manifest, String by, String message) {
        RowSelection selection = new RowSelection(null, split(Map.of("eval", "10%"), by));
        assertThatThrownBy(() -> new RowFilter(selection, manifest, SchemaRules.STRICT))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({
        "10%, 1/10",
        "0.1, 1/10",
        "2/20, 1/10",
        "12.5%, 1/8",
        ".25, 1/4",
        "100%, 1/1",
        "1, 1/1",
        "0.1%, 1/1000"
    })
    void sharesAreExactFractions(String text, String fraction) {
        assertThat(Share.parse(text).toString()).isEqualTo(fraction);
        assertThat(Share.parse(fraction)).isEqualTo(Share.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "0", "0%", "10", "101%", "1.5", "-10%", "1/0", "0/1", "3/2", "a", "1e-1"
            })
    void whatIsNoShareIsRefused(String text) {
        assertThatThrownBy(() -> Share.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void partsAreOrderedByTheBytesOfTheirNames() {
        Split split = split(Map.of("\uFF5E", "1/4", "\uD83D\uDE00", "1/4", "a", "1/4"), null);
        assertThat(split.shares().keySet()).containsExactly("a", "\uFF5E", "\uD83D\uDE00");
        assertThat(new TreeSet<>(split.shares().keySet()))
                .containsExactly("a", "\uD83D\uDE00", "\uFF5E");
        assertThat(IntStream.range(0, ROWS).filter(new SplitRows(split)::keeps).count())
                .isBetween(150L, 350L);
    }
}
