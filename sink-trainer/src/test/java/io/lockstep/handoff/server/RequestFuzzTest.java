package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Verb;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests with one or several invalid fields: each fails with an error of the protocol, none has
 * an effect, and the server continues.
 */
class RequestFuzzTest extends ProtocolTestBase {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROUNDS = 300;

    /** A valid request of each verb. */
    private static final Map<Verb, String> CORRECT = new EnumMap<>(Verb.class);

    static {
        String rank = "'generation':1,'rank':0,'stream':'train'";
        String digests = "0".repeat(32);
        CORRECT.put(Verb.HELLO, "{'client':'c'}");
        CORRECT.put(Verb.ROUTING, "{'waitMs':0,'call':'c'}");
        CORRECT.put(Verb.EPOCHS, "{'stream':'train','from':0,'count':1}");
        CORRECT.put(
                Verb.REGISTER,
                "{'launch':'l','rank':0,'world':2,'host':'h','instance':'i','waitMs':0,'call':'c'}");
        CORRECT.put(
                Verb.START, "{" + rank + ",'round':1,'agreement':{'a':'b'},'waitMs':0,'call':'c'}");
        CORRECT.put(Verb.RELEASE, "{'call':'c'}");
        CORRECT.put(Verb.COMMIT, "{" + rank + ",'epoch':0,'step':1,'state':{},'generators':{}}");
        CORRECT.put(Verb.RESUME, "{" + rank + "}");
        CORRECT.put(Verb.NOTE, "{" + rank + ",'epoch':0,'step':1,'text':'t'}");
        CORRECT.put(Verb.ATTACH, "{" + rank + ",'transport':'flight'}");
        CORRECT.put(Verb.DETACH, "{" + rank + "}");
        CORRECT.put(Verb.WANT, "{" + rank + ",'lanes':[0],'epoch':0,'from':0,'upTo':1}");
        CORRECT.put(
                Verb.GET,
                "{"
                        + rank
                        + ",'lanes':[0],'epoch':0,'step':0,'upTo':1,'waitMs':0,'connection':'c',"
                        + "'free':[1]}");
        CORRECT.put(
                Verb.CONSUMED,
                "{"
                        + rank
                        + ",'lanes':[0],'waitMs':0,'consumed':{'session':'s','steps':"
                        + "[{'number':0,'epoch':0,'step':0,'digests':'"
                        + digests
                        + "'}]}}");
        CORRECT.put(Verb.CLOSE, "{'generation':1,'rank':0}");
        CORRECT.put(Verb.MOVE, "{'lanes':{'train':[0]},'to':[0]}");
        CORRECT.put(Verb.STATS, "{}");
    }

    /** As JSON. */
    private static final List<String> WRONG =
            List.of(
                    "null",
                    "-1",
                    "-9223372036854775808",
                    "9223372036854775808",
                    "1e400",
                    "1.5",
                    "true",
                    "{}",
                    "[null]",
                    "[-1]",
                    "[[]]",
                    "{\"a\":null}",
                    "\"\"",
                    "\"\\u0000\"",
                    "\"\\ud800\"",
                    "\"../../secret\"",
                    "\"" + "x".repeat(70_000) + "\"",
                    "[".repeat(1_200) + "]".repeat(1_200),
                    "{\"a\":".repeat(1_200) + "0" + "}".repeat(1_200));

    private final List<Request.ToRun> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void recordWhatReachesTheEnumerator() {
        fixture.job.answer(
                request -> {
                    asked.add(request);
                    return CompletableFuture.completedFuture(answer(request));
                });
    }

    private static Reply.OfRun answer(Request.ToRun request) {
        if (request instanceof Request.Register) {
            return new Reply.Registered(1);
        } else if (request instanceof Request.Commit) {
            return new Reply.Committed(true, true, null, null);
        } else if (request instanceof Request.Resume) {
            return new Reply.Resumed(0, 0, null, null, null);
        }
        return new Reply.Noted();
    }

    private static ObjectNode correct(Verb verb) throws Exception {
        ObjectNode request = (ObjectNode) JSON.readTree(CORRECT.get(verb).replace('\'', '"'));
        return request.put("protocol", Messages.PROTOCOL);
    }

    /** The request with one field replaced. */
    private static String with(ObjectNode request, String field, String value) {
        List<String> fields = new ArrayList<>();
        request.properties()
                .forEach(
                        entry ->
                                fields.add(
                                        "\""
                                                + entry.getKey()
                                                + "\":"
                                                + (entry.getKey().equals(field)
                                                        ? value
                                                        : entry.getValue())));
        return "{" + String.join(",", fields) + "}";
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void everyFieldMayBeWrong(Verb verb) throws Exception {
        ObjectNode request = correct(verb);
        for (Map.Entry<String, JsonNode> field : List.copyOf(request.properties())) {
            for (String wrong : WRONG) {
                check(verb, with(request, field.getKey(), wrong));
            }
        }
        assertAlive();
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void anyBodyMayCome(Verb verb) throws Exception {
        Random random = new Random(verb.ordinal());
        String correct = correct(verb).toString();
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder body = new StringBuilder(correct);
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(body.length());
                String by = "\"{}[],:0-9eE.tn\\u0000".substring(random.nextInt(15)).substring(0, 1);
                body.replace(at, Math.min(body.length(), at + random.nextInt(3)), by);
            }
            JsonNode reply = raw.send(verb.wireName(), body.toString());
            assertThat(reply.isObject()).as("%s: %s", body, reply).isTrue();
            assertThat(reply.at("/error/code").asText()).as("%s", body).isNotEqualTo("failed");
        }
        assertAlive();
    }

    private void check(Verb verb, String body) throws Exception {
        int before = asked.size();
        JsonNode reply = raw.send(verb.wireName(), body);
        assertThat(reply.isObject()).isTrue();
        String code = reply.at("/error/code").asText();
        String shown = verb + " " + body.substring(0, Math.min(200, body.length())) + ": " + reply;
        // An optional field may be null or any valid value; then the request succeeds.
        assertThat(code)
                .as(shown)
                .isIn(
                        "",
                        "bad-request",
                        "unknown-stream",
                        "version",
                        "unknown-connection",
                        "not-here");
        if (!code.isEmpty()) {
            assertThat(asked).as(shown).hasSize(before);
        }
    }

    private void assertAlive() throws Exception {
        assertThat(raw.call("hello", "{}").has("error")).isFalse();
        assertThat(fixture.job.wanted(new LaneSplit("train", 3))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "close|{'generation':1,'rank':-3}|rank",
                "close|{'generation':1,'rank':77}|rank",
                "close|{'generation':0,'rank':0}|generation",
                "commit|{'generation':1,'rank':0,'stream':'train','epoch':1000000,'step':0,'state':{}}|epoch",
                "commit|{'generation':1,'rank':0,'stream':'train','epoch':0,'step':-5,'state':{}}|step",
                "commit|{'generation':1,'rank':-7,'stream':'train','epoch':0,'step':0,'state':{}}|rank",
                "register|{'launch':'l','rank':0,'world':1000000000,'instance':'i'}|world",
                "register|{'launch':'l','rank':2,'world':2,'instance':'i'}|rank",
                "register|{'launch':5,'rank':'0','world':2,'instance':'i'}|rank",
                "move|{'lanes':{'train':[null]},'to':[0]}|lanes",
                "move|{'lanes':{'train':[0]},'to':[null]}|to",
                "start|{'generation':1,'rank':0,'stream':'train','round':0,'agreement':{}}|round",
                "release|{'call':null}|call",
            })
    void theFieldIsNamed(String verb, String request, String field) throws Exception {
        assertError(raw.call(verb, request.replace("%", "%%")), "bad-request", field);
        assertThat(asked).isEmpty();
    }

    @Test
    void receiptsOfStepsAndLanesThatAreNotThereAreRefused() throws Exception {
        String body =
                "{%s,'lanes':[0],'consumed':{'session':'s','steps':[{'number':0,'epoch':0,'step':%s,"
                        + "'digests':'%s'}]}}";
        assertError(
                raw.call("consumed", body, WHO, 1_000_000, "0".repeat(32)), "bad-request", "step");
        assertError(raw.call("consumed", body, WHO, 0, "0".repeat(64)), "bad-request", "digests");
    }
}
