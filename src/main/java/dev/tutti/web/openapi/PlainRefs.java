package dev.tutti.web.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leaves nothing beside a {@code $ref}: OpenAPI 3.0 ignores it or fails on it. */
final class PlainRefs {

    private final OpenAPI contract;
    private final Set<Schema<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    PlainRefs(OpenAPI contract) {
        this.contract = contract;
    }

    void clean() {
        contract.getComponents().getSchemas().values().forEach(this::clean);
    }

    @SuppressWarnings("rawtypes")
    private void clean(@Nullable Schema schema) {
        if (schema == null || !seen.add(schema)) {
            return;
        }
        Map<String, Schema> properties = schema.getProperties();
        if (properties != null) {
            properties.replaceAll((name, property) -> plain(property));
            properties.values().forEach(this::clean);
        }
        if (schema.getItems() != null) {
            schema.setItems(plain(schema.getItems()));
            clean(schema.getItems());
        }
        if (schema.getAdditionalProperties() instanceof Schema values) {
            clean(values);
        }
    }

    @SuppressWarnings("rawtypes")
    private static Schema plain(Schema schema) {
        return schema.get$ref() == null ? schema : new Schema<>().$ref(schema.get$ref());
    }
}
