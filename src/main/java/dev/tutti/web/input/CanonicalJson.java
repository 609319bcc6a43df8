package dev.tutti.web.input;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** One spelling for equal trees: fields sorted, no spaces. */
final class CanonicalJson {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private CanonicalJson() {}

    static String of(JsonNode tree) {
        return MAPPER.writeValueAsString(tree);
    }
}
