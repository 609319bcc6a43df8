package dev.tutti.web.openapi;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** A record's component is required unless it is {@code @Nullable}: the contract says what the code says. */
@Component
final class RecordModels implements ModelConverter {

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        Schema<?> schema = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        JavaType java = type.getType() == null ? null : Json.mapper().constructType(type.getType());
        if (schema != null && java != null && java.getRawClass().isRecord()) {
            Schema<?> model = schema.get$ref() == null
                    ? schema
                    : context.getDefinedModels().get(name(schema.get$ref()));
            if (model != null) {
                model.setRequired(required(java.getRawClass()));
            }
        }
        return schema;
    }

    private static String name(String ref) {
        return ref.substring(ref.lastIndexOf('/') + 1);
    }

    private static @Nullable List<String> required(Class<?> record) {
        List<String> names = Arrays.stream(record.getRecordComponents())
                .filter(component -> !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .map(RecordComponent::getName)
                .toList();
        return names.isEmpty() ? null : names;
    }
}
