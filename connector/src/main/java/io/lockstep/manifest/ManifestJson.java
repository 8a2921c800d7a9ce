package io.lockstep.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
            json.writeArrayFieldStart("shards");
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
     * @throws IOException if the input is not a manifest of this version
     */
    static Manifest read(InputStream in) throws IOException {
        JsonNode json = new ObjectMapper().readTree(in);
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
        List<Shard> shards = new ArrayList<>();
        List<RowGroup> groups = new ArrayList<>();
        List<long[]> sizes = new ArrayList<>();
        for (JsonNode shard : json.required("shards")) {
            int ordinal = 0;
            for (JsonNode group : shard.required("rowGroups")) {
                long rows = group.required(0).asLong();
                long bytes = group.required(1).asLong();
                groups.add(new RowGroup(shards.size(), ordinal++, rows, bytes));
                long[] variable = new long[group.size() - 2];
                for (int i = 0; i < variable.length; i++) {
                    variable[i] = group.required(i + 2).asLong();
                }
                sizes.add(variable);
            }
            shards.add(readShard(shard));
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
                shards,
                groups,
                schema.getFields(),
                varying,
                unreadable,
                partitions,
                sizes.toArray(long[][]::new));
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
