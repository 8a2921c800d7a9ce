package io.lockstep.cli.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;

/** Writes JSON without an object mapper, whose start-up cost a short command would notice. */
public final class JsonText {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().build().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private JsonText() {}

    /** Writes to a generator. */
    public interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** Writes one value and a line break. */
    public static void line(OutputStream out, Content content) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            content.write(json);
        }
        out.write('\n');
    }
}
