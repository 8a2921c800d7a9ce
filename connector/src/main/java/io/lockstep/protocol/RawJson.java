package io.lockstep.protocol;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;

/** Reads any JSON value as its text, for values that one side keeps for the other unchanged. */
final class RawJson extends StdScalarDeserializer<String> {

    private static final long serialVersionUID = 1L;

    RawJson() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context)
            throws IOException {
        return context.readTree(parser).toString();
    }
}
