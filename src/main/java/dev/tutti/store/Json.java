package dev.tutti.store;

import dev.tutti.model.job.GpuRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** JSON columns: the store's own form of values, apart from what goes over the wire. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // What an earlier version did not write is false or 0.
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addModule(new SimpleModule()
                    .addSerializer(GpuRequest.class, new GpuRequestWriter())
                    .addDeserializer(GpuRequest.class, new GpuRequestReader()))
            .build();

    private Json() {}

    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static <T> T read(String text, Class<T> type) {
        return MAPPER.readValue(text, type);
    }

    /** {@code {}} for none, {@code {"whole": 8}}, {@code {"share": 200}}, {@code {"mig": "1g.10gb"}}. */
    private static final class GpuRequestWriter extends StdSerializer<GpuRequest> {
        GpuRequestWriter() {
            super(GpuRequest.class);
        }

        @Override
        public void serialize(GpuRequest request, JsonGenerator out, SerializationContext context)
                throws JacksonException {
            out.writeStartObject();
            if (request instanceof GpuRequest.Whole whole) {
                out.writeNumberProperty("whole", whole.devices());
            } else if (request instanceof GpuRequest.Share share) {
                out.writeNumberProperty("share", share.milliPerDevice());
            } else if (request instanceof GpuRequest.Mig mig) {
                out.writeStringProperty("mig", mig.profile());
            }
            out.writeEndObject();
        }
    }

    private static final class GpuRequestReader extends StdDeserializer<GpuRequest> {
        GpuRequestReader() {
            super(GpuRequest.class);
        }

        @Override
        public GpuRequest deserialize(JsonParser in, DeserializationContext context) throws JacksonException {
            JsonNode node = in.readValueAsTree();
            if (node.has("whole")) {
                return new GpuRequest.Whole(node.get("whole").asInt());
            }
            if (node.has("mig")) {
                return new GpuRequest.Mig(node.get("mig").asString());
            }
            return node.has("share") ? new GpuRequest.Share(node.get("share").asInt()) : new GpuRequest.None();
        }
    }
}
