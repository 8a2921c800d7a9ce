package io.lockstep.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Serializes a manifest as JSON, one line per shard. Each row group is an array: rows, bytes in the
 * file, then the decoded bytes of each variable-size column.
 */
final class ManifestJson {

    private static final int VERSION = 1;

    /** With columns that vary, which earlier releases would take for ordinary ones. */
    private static final int VARYING_VERSION = 2;

    private static final String SHARDS = "shards";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ManifestJson() {}

    /** Writes a manifest. The output is deterministic. */
    static void write(Manifest manifest, OutputStream out) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField(
                    "version", manifest.varying().isEmpty() ? VERSION : VARYING_VERSION);
            json.writeStringField("digest", manifest.digest());
            json.writeStringField("root", manifest.root());
            json.writeNumberField("rows", manifest.rows());
            json.writeFieldName("schema");
            json.writeRawValue(
                    new Schema(manifest.allColumns()).toJson().replaceAll("\\s*\\n\\s*", ""));
            json.writeArrayFieldStart("unreadable");
            for (UnreadableColumn column : manifest.neverReadable()) {
                json.writeStartObject();
                json.writeStringField("name", column.name());
                if (column.type() != null) {
                    json.writeStringField("type", column.type());
                }
                json.writeStringField("reason", column.reason());
                if (column.file() != null) {
                    json.writeStringField("file", column.file());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            writeVarying(json, manifest.varying());
            if (!manifest.partitions().isEmpty()) {
                json.writeArrayFieldStart("partitions");
                for (String name : manifest.partitions()) {
                    json.writeString(name);
                }
                json.writeEndArray();
            }
            json.writeArrayFieldStart(SHARDS);
            int group = 0;
            for (int shard = 0; shard < manifest.shards().size(); shard++) {
                json.writeRaw('\n');
                group = writeShard(json, manifest, shard, group);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void writeVarying(JsonGenerator json, List<VaryingColumn> columns)
            throws IOException {
        if (columns.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("varying");
        for (VaryingColumn column : columns) {
            json.writeStartObject();
            json.writeStringField("name", column.name());
            if (column.widened() != null) {
                json.writeStringField("widened", column.widened());
            }
            if (column.missing() != null) {
                json.writeStringField("missing", column.missing());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes a shard and returns the index of the next shard's first row group. */
    private static int writeShard(JsonGenerator json, Manifest manifest, int index, int first)
            throws IOException {
        Shard shard = manifest.shards().get(index);
        json.writeStartObject();
        json.writeStringField("path", shard.path());
        json.writeStringField("location", shard.location());
        json.writeNumberField("length", shard.length());
        json.writeNumberField("modified", shard.modificationTime());
        json.writeStringField("footer", shard.footerSha256());
        if (shard.tail() != null) {
            json.writeStringField("tail", shard.tail());
        }
        if (shard.identity() != null) {
            FileIdentity identity = shard.identity();
            long[] numbers = {identity.device(), identity.inode(), identity.changed()};
            json.writeFieldName("identity");
            json.writeArray(numbers, 0, numbers.length);
        }
        json.writeArrayFieldStart("rowGroups");
        List<RowGroup> groups = manifest.rowGroups();
        int group = first;
        for (; group < groups.size() && groups.get(group).shard() == index; group++) {
            json.writeStartArray();
            json.writeNumber(groups.get(group).rows());
            json.writeNumber(groups.get(group).bytes());
            for (long bytes : manifest.variableBytes()[group]) {
                json.writeNumber(bytes);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
        return group;
    }

    /**
     * Reads a manifest, shard by shard: all row groups as JSON nodes would take several times the
     * memory of the manifest.
     *
     * @throws IOException if the input is not a manifest of this version
     */
    static Manifest read(InputStream in) throws IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Shards shards = new Shards();
        try (JsonParser parser = JSON.createParser(in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it is not a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                boolean ofShards =
                        parser.nextToken() == JsonToken.START_ARRAY && name.equals(SHARDS);
                while (ofShards && parser.nextToken() != JsonToken.END_ARRAY) {
                    shards.add(JSON.readTree(parser));
                }
                if (!ofShards) {
                    json.set(name, JSON.readTree(parser));
                }
            }
        }
        return manifest(json, shards);
    }

    private static Manifest manifest(JsonNode json, Shards shards) throws IOException {
        int version = json.path("version").asInt();
        if (version != VERSION && version != VARYING_VERSION) {
            throw new IOException(
                    "it has version "
                            + json.path("version")
                            + ", not at most "
                            + VARYING_VERSION
                            + " as this"
                            + " Lockstep reads");
        }
        List<UnreadableColumn> unreadable = new ArrayList<>();
        for (JsonNode column : json.required("unreadable")) {
            unreadable.add(
                    new UnreadableColumn(
                            column.required("name").asText(),
                            column.path("type").textValue(),
                            column.required("reason").asText(),
                            column.path("file").textValue()));
        }
        Schema schema = Schema.fromJSON(json.required("schema").toString());
        List<VaryingColumn> varying = new ArrayList<>();
        for (JsonNode column : json.path("varying")) {
            varying.add(
                    new VaryingColumn(
                            schema.findField(column.required("name").asText()),
                            column.path("widened").textValue(),
                            column.path("missing").textValue()));
        }
        // Manifests of earlier releases have none, whatever the folders.
        List<String> partitions = new ArrayList<>();
        json.path("partitions").forEach(name -> partitions.add(name.asText()));
        return new Manifest(
                json.required("root").asText(),
                shards.shards,
                shards.rowGroups,
                schema.getFields(),
                varying,
                unreadable,
                partitions,
                shards.variableBytes.toArray(long[][]::new));
    }

    /** The shards read so far, and their row groups. */
    private static final class Shards {

        private final List<Shard> shards = new ArrayList<>();
        private final List<RowGroup> rowGroups = new ArrayList<>();
        private final List<long[]> variableBytes = new ArrayList<>();

        void add(JsonNode shard) {
            int ordinal = 0;
            for (JsonNode group : shard.required("rowGroups")) {
                long rows = group.required(0).asLong();
                long bytes = group.required(1).asLong();
                rowGroups.add(new RowGroup(shards.size(), ordinal++, rows, bytes));
                long[] variable = new long[group.size() - 2];
                for (int i = 0; i < variable.length; i++) {
                    variable[i] = group.required(i + 2).asLong();
                }
                variableBytes.add(variable);
            }
            shards.add(readShard(shard));
        }
    }

    private static Shard readShard(JsonNode shard) {
        return new Shard(
                shard.required("path").asText(),
                shard.required("location").asText(),
                shard.required("length").asLong(),
                shard.required("modified").asLong(),
                shard.required("footer").asText(),
                shard.path("tail").textValue(),
                shard.has("identity") ? readIdentity(shard.get("identity")) : null);
    }

    private static FileIdentity readIdentity(JsonNode numbers) {
        return new FileIdentity(
                numbers.required(0).asLong(),
                numbers.required(1).asLong(),
                numbers.required(2).asLong());
    }
}
