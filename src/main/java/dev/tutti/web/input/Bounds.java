package dev.tutti.web.input;

import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * The range of a whole number as the contract shows it, for messages about numbers so large that they reach no model;
 * the model itself decides about all others. An empty text is an unknown bound.
 */
record Bounds(String minimum, String maximum) {

    static final Bounds NONE = new Bounds("", "");

    static Bounds of(RecordComponent component) {
        @Nullable Schema schema = component.getAccessor().getAnnotation(Schema.class);
        return schema == null ? NONE : new Bounds(schema.minimum(), schema.maximum());
    }

    /** What to give. */
    String wanted() {
        return minimum.isEmpty() || maximum.isEmpty()
                ? "a whole number"
                : "a whole number from " + minimum + " to " + maximum;
    }
}
