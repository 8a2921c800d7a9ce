package io.lockstep.protocol;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import javax.annotation.Nullable;

/** Requests and replies as UTF-8 JSON, and the version of the protocol. */
public final class Messages {

    /** The protocol's version; a request of another version is rejected. */
    public static final int PROTOCOL = 4;

    /** The release of both sides in this source tree. */
    public static final String RELEASE = "0.1.0";

    private static final String VERSION_FIELD = "protocol";
    private static final String TASK_FIELD = "task";

    /** Ignores fields of later releases. */
    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                    .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                    .build();

    private Messages() {}

    public static byte[] write(Request request) {
        ObjectNode tree = JSON.valueToTree(request);
        return bytes(tree.put(VERSION_FIELD, PROTOCOL));
    }

    public static byte[] write(Reply reply) {
        return bytes(reply);
    }

    private static byte[] bytes(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write " + value + " as JSON", e);
        }
    }

    /**
     * Reads a request.
     *
     * @throws HandoffException if the request has another version or is not part of the protocol
     */
    public static <T extends Request> T request(byte[] body, Class<T> type) {
        try {
            checkVersion(body);
            return JSON.readValue(body, type);
        } catch (JsonMappingException e) {
            String field = e.getPathReference().replaceAll("^.*\\[\"|\"\\]$", "");
            throw badRequest(type, "\"" + field + "\": " + e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            throw badRequest(type, e.getOriginalMessage());
        } catch (IOException e) {
            throw badRequest(type, e.getMessage());
        }
    }

    /** The task whose server a request names, if any. */
    public static Optional<String> task(byte[] request) {
        try (JsonParser fields = JSON.createParser(request)) {
            return find(fields, TASK_FIELD) && fields.currentToken() == JsonToken.VALUE_STRING
                    ? Optional.of(fields.getText())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static HandoffException badRequest(Class<?> type, String why) {
        return new HandoffException(
                ErrorCode.BAD_REQUEST,
                "the request '" + type.getSimpleName() + "' cannot be read: " + why);
    }

    private static void checkVersion(byte[] request) throws IOException {
        Integer version = version(request);
        if (version == null) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    "the request is not a JSON object with the number of the protocol that the client"
                            + " speaks as \"protocol\"");
        }
        if (version != PROTOCOL) {
            throw new HandoffException(
                    ErrorCode.VERSION,
                    String.format(
                            "this client speaks hand-off protocol %d, the job speaks %d: install lockstep"
                                    + " %s",
                            version, PROTOCOL, RELEASE.substring(0, RELEASE.lastIndexOf('.'))));
        }
    }

    /** The protocol version of a request; null if it names none. */
    @Nullable
    private static Integer version(byte[] request) throws IOException {
        try (JsonParser fields = JSON.createParser(request)) {
            return find(fields, VERSION_FIELD)
                            && fields.currentToken() == JsonToken.VALUE_NUMBER_INT
                    ? fields.getIntValue()
                    : null;
        }
    }

    /** Advances to the value of a field of an object; returns false if the object lacks it. */
    private static boolean find(JsonParser fields, String field) throws IOException {
        if (fields.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        for (String name = fields.nextFieldName(); name != null; name = fields.nextFieldName()) {
            fields.nextToken();
            if (name.equals(field)) {
                return true;
            }
            fields.skipChildren();
        }
        return false;
    }

    /**
     * Reads a reply of the type that the request asks for.
     *
     * @throws NotYetException if the answer is pending
     * @throws HandoffException if the reply is an error
     */
    public static <T extends Reply> T reply(byte[] body, Class<T> type) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree.has("error")) {
                Reply.Problem problem = JSON.treeToValue(tree, Reply.Failure.class).error();
                throw new HandoffException(problem.code(), problem.message());
            }
            if (tree.has("pending")) {
                throw new NotYetException(tree.get("pending").asText());
            }
            return JSON.treeToValue(tree, type);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the server's reply is not of the hand-off protocol's form", e);
        }
    }

    /** Whether a reply tells the client to use Flight instead of the requested transport. */
    public static boolean isUseFlight(byte[] body) {
        try {
            return JSON.readTree(body).has("transport");
        } catch (IOException e) {
            throw new UncheckedIOException("the server's reply is not JSON", e);
        }
    }
}
