package io.lockstep.transform.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.python.PythonCode;
import io.lockstep.python.PythonSettings;
import io.lockstep.testing.OwnThreads;
import io.lockstep.testing.TestPython;
import io.lockstep.transform.Table;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Functions in real workers: which process runs a call, and how long workers live. */
@Timeout(120)
class PythonTransformTest {

    private static final String PID =
            "import os\n"
                    + "import numpy as np\n"
                    + "def pid(rows):\n"
                    + "    return {'pid': np.full(len(rows['x']), os.getpid(), np.int64)}\n"
                    + "def hang(rows, started):\n"
                    + "    open(started, 'w').close()\n"
                    + "    while True:\n"
                    + "        pass\n";

    @TempDir private Path folder;

    private static TransformSpec spec(String function, String more, int workers) {
        PythonSettings settings =
                new PythonSettings(
                        TestPython.interpreter(),
                        workers,
                        Duration.ofMinutes(1),
                        0,
                        new PythonCode(new TreeMap<>(Map.of("functions.py", PID))));
        String parameters =
                "{'function': 'functions:%s', 'columns': 'x', 'adds': {'pid': 'int64'}%s}"
                        .formatted(function, more);
        return Table.spec("python", parameters).with(settings);
    }

    private static long pid(TransformSpec spec) {
        try (Table table = new Table().column("x", 1L, 2L);
                VectorSchemaRoot rows = table.apply(spec)) {
            assertThat(Table.values(rows, "x")).containsExactly(1L, 2L);
            List<Object> pids = Table.values(rows, "pid");
            assertThat(pids).hasSize(2).containsOnly(pids.get(0));
            return (long) pids.get(0);
        }
    }

    @Test
    void aWorkerServesAllCallsWhileItIsHeldAndEndsAfterwards() {
        TransformSpec spec = spec("pid", "", 1);
        ProcessHandle worker;
        try (WorkerPools.Hold hold = WorkerPools.hold()) {
            long pid = pid(spec);
            List<CompletableFuture<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(OwnThreads.call(() -> pid(spec)));
            }
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(pid));
            worker = ProcessHandle.of(pid).orElseThrow();
        }

        worker.onExit().join();
        assertThat(worker.isAlive()).isFalse();
    }

    @Test
    void aCallThatNobodyHoldsHasAWorkerOfItsOwn() {
        TransformSpec spec = spec("pid", "", 1);

        assertThat(pid(spec)).isNotEqualTo(pid(spec));
    }

    @Test
    void aCallInProgressEndsWithTheLastHold() throws IOException, InterruptedException {
        Path started = folder.resolve("started");
        int status = new ProcessBuilder("mkfifo", started.toString()).start().waitFor();
        assertThat(status).isZero();
        WorkerPools.Hold hold = WorkerPools.hold();
        TransformSpec spec = spec("hang", ", 'started': '" + started + "'", 1);
        CompletableFuture<Long> call = OwnThreads.call(() -> pid(spec));
        // Opens once the function has opened the other end.
        Files.readString(started);
        hold.close();

        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(TransformException.class)
                .hasMessageContaining("its workers were stopped with the job");
    }

    @Test
    void noFunctionIsCalledWithoutRows() {
        TransformSpec spec = spec("missing", "", 1);
        try (Table table = new Table().column("x", 1L)) {
            VectorSchemaRoot none = VectorSchemaRoot.create(table.schema(), table.allocator());
            try (VectorSchemaRoot rows =
                    TransformRegistry.chain("train", List.of(spec))
                            .apply(none, table.allocator())) {
                assertThat(rows.getRowCount()).isZero();
                assertThat(rows.getSchema().findField("pid")).isNotNull();
            }
        }
    }

    @Test
    void theCodeIsPartOfTheIdentity() {
        TransformSpec spec = spec("pid", "", 1);
        PythonSettings other =
                spec.python().with(new PythonCode(new TreeMap<>(Map.of("functions.py", ""))));
        PythonSettings slower =
                new PythonSettings("p", 3, Duration.ofHours(1), 1, spec.python().code());

        assertThat(description(spec)).isNotEqualTo(description(spec.with(other)));
        assertThat(description(spec)).isEqualTo(description(spec.with(slower)));
    }

    private static String description(TransformSpec spec) {
        return TransformRegistry.chain("train", List.of(spec))
                .transforms()
                .get(0)
                .transform()
                .description();
    }

    @Test
    void whatTheRunFileSaysIsChecked() {
        refused(
                "it needs the parameter 'function': a text",
                "{'columns': 'x', 'adds': {'y': 'int64'}}");
        refused(
                "'function' is 'f'; it must be 'module:function'",
                "{'function': 'f', 'columns': 'x', 'adds': {'y': 'int64'}}");
        refused(
                "the parameter 'adds' is [\"y\"]; it must be names with a text each",
                "{'function': 'm:f', 'columns': 'x', 'adds': ['y']}");
        refused(
                "'adds' declares 'y' as 'float'; it must be one of bool, int8",
                "{'function': 'm:f', 'columns': 'x', 'adds': {'y': 'float'}}");
        refused(
                "there is a column \"z\" already; to replace it, name it in 'columns' too",
                "{'function': 'm:f', 'columns': 'x', 'adds': {'z': 'int64'}}");
    }

    private static void refused(String message, String parameters) {
        try (Table table = new Table().column("x", 1L).column("z", 1L)) {
            assertThatThrownBy(
                            () ->
                                    TransformRegistry.chain(
                                                    "train",
                                                    List.of(Table.spec("python", parameters)))
                                            .schema(table.schema()))
                    .isInstanceOf(TransformException.class)
                    .hasMessageContaining(message);
        }
    }
}
