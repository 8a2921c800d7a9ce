package io.lockstep.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the executable specification on many cases in one process. */
final class Oracle {

    private static final String PYTHON = "python3";

    /** Reads one case per line and answers with one line: windows, steps and fingerprint. */
    private static final String DRIVER =
            """
            import json, sys
            sys.path.insert(0, sys.argv[1])
            import order_oracle

            for line in sys.stdin:
                case = json.loads(line)
                settings = dict(case["settings"])
                for name in ("seed", "lanes", "batch", "window"):
                    settings[name] = int(settings[name])
                try:
                    order = order_oracle.Order(case["rows"], **settings)
                    epoch = case["epoch"]
                    print(json.dumps({
                        "steps": order.epoch(epoch),
                        "windows": [order.windows(epoch, lane) for lane in range(order.lanes)],
                        "fingerprint": order.fingerprint("manifest"),
                    }))
                except ValueError as refused:
                    print(json.dumps({"refused": str(refused)}))
            """;

    private final ObjectMapper json = new ObjectMapper();
    private final Path directory;

    /**
     * @param directory a directory for the oracle, its input and its output
     */
    Oracle(Path directory) {
        this.directory = directory;
    }

    /** Returns whether a Python interpreter is available to run it. */
    static boolean runs() {
        try {
            Process process =
                    new ProcessBuilder(PYTHON, "-c", "pass").redirectErrorStream(true).start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the answer to each case, in order. */
    List<JsonNode> answers(List<RandomCase> cases) throws IOException, InterruptedException {
        Files.write(
                directory.resolve(Specification.ORACLE),
                Specification.resource(Specification.ORACLE));
        Path questions = directory.resolve("questions");
        Path answers = directory.resolve("answers");
        Path faults = directory.resolve("faults");
        List<String> lines = new ArrayList<>();
        for (RandomCase each : cases) {
            lines.add(
                    json.writeValueAsString(
                            Map.of(
                                    "settings", each.settings().toMap(),
                                    "rows", each.rows(),
                                    "epoch", each.epoch())));
        }
        Files.write(questions, lines);
        Process process =
                new ProcessBuilder(PYTHON, "-B", "-c", DRIVER, directory.toString())
                        .redirectInput(questions.toFile())
                        .redirectOutput(answers.toFile())
                        .redirectError(faults.toFile())
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("the oracle failed: " + Files.readString(faults));
        }
        List<JsonNode> found = new ArrayList<>();
        for (String line : Files.readAllLines(answers)) {
            found.add(json.readTree(line));
        }
        return found;
    }
}
