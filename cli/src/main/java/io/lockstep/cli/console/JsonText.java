package io.lockstep.cli.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;

/** Writes JSON without the weight of a mapper, which a short-lived command would feel. */
public final class JsonText {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().build().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private JsonText() {}

    /** What fills a generator. */
    public interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** Writes one value and a line's end. */
    public static void line(OutputStream out, Content content) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            content.write(json);
        }
        out.write('\n');
    }
}
