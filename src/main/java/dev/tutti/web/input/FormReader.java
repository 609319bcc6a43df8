package dev.tutti.web.input;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fills a record from a tree, strictly: unknown fields, wrong types and missing fields are violations, all of them
 * reported with their paths. Nothing is converted: a text is no number, 1.0 and 1e2 are no whole numbers, {@code -0} is
 * 0, and null is the same as missing. It decides about form only; ranges are the model's.
 */
public final class FormReader {

    private final Violations violations;

    private FormReader(Violations violations) {
        this.violations = violations;
    }

    /** The record; {@link InvalidInput} with every violation. */
    public static <T extends Record> T read(JsonNode tree, Class<T> form) {
        Violations violations = new Violations();
        T value = read(tree, form, "", violations);
        if (value == null) {
            throw new InvalidInput(
                    violations.isEmpty() ? List.of(new Violation("", "is not a JSON object")) : violations.list());
        }
        return value;
    }

    /** The record; null with violations added, whose fields begin with {@code path}. */
    public static <T extends Record> @Nullable T read(
            JsonNode tree, Class<T> form, String path, Violations violations) {
        Violations here = new Violations();
        Object value = new FormReader(here).object(tree, form, path);
        here.list().forEach(violation -> violations.add(violation.field(), violation.message()));
        return here.isEmpty() ? form.cast(value) : null;
    }

    private @Nullable Object object(JsonNode node, Class<?> form, String path) {
        if (!node.isObject()) {
            return refuse(
                    path,
                    "is " + Texts.shown(node) + "; give an object with the fields "
                            + String.join(", ", Shape.of(form).fields().keySet()));
        }
        Shape shape = Shape.of(form);
        refuseUnknown(node, shape, path);
        @Nullable Object[] values = new Object[shape.fields().size()];
        boolean whole = true;
        int i = 0;
        for (Map.Entry<String, Shape.Field> field : shape.fields().entrySet()) {
            String at = join(path, field.getKey());
            JsonNode child = node.get(field.getKey());
            if (child != null && (!child.isNull() || field.getValue().type() == JsonNode.class)) {
                values[i] =
                        value(child, field.getValue().type(), field.getValue().bounds(), at);
                whole &= values[i] != null;
            } else if (!field.getValue().optional()) {
                refuse(at, "is missing; give " + wanted(field.getValue().type()));
                whole = false;
            }
            i++;
        }
        return whole ? shape.make(values) : null;
    }

    private void refuseUnknown(JsonNode node, Shape shape, String path) {
        for (String name : node.propertyNames()) {
            if (!shape.fields().containsKey(name)) {
                refuse(
                        join(path, Texts.clip(name)),
                        shape.fixed().contains(name)
                                ? "cannot be changed; leave it out, what can be is "
                                        + String.join(", ", shape.fields().keySet())
                                : Nearest.hint(name, shape.fields().keySet()));
            }
        }
    }

    private @Nullable Object value(JsonNode node, Type type, Bounds bounds, String path) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class
                    ? list(node, generic.getActualTypeArguments()[0], path)
                    : map(node, generic.getActualTypeArguments()[1], path);
        }
        if (type == JsonNode.class) {
            return node;
        }
        if (type == String.class) {
            return node.isString()
                    ? text(node.stringValue(), path)
                    : refuse(path, "is " + Texts.shown(node) + "; give a text");
        }
        if (type == Boolean.class) {
            return node.isBoolean()
                    ? (Object) node.booleanValue()
                    : refuse(path, "is " + Texts.shown(node) + "; give true or false");
        }
        if (type == Integer.class || type == Long.class) {
            return number(node, type == Integer.class, bounds, path);
        }
        if (type == Scalar.class) {
            return scalar(node, path);
        }
        return type == Ignored.class ? new Ignored() : object(node, (Class<?>) type, path);
    }

    private @Nullable Object number(JsonNode node, boolean small, Bounds bounds, String path) {
        if (!node.isIntegralNumber()) {
            return refuse(
                    path,
                    "is " + Texts.shown(node) + "; give " + bounds.wanted() + ", written without point and exponent");
        }
        if (small ? !node.canConvertToInt() : !node.canConvertToLong()) {
            return refuse(path, "is " + Texts.shown(node) + "; give " + bounds.wanted());
        }
        return small ? (Object) node.intValue() : (Object) node.longValue();
    }

    private @Nullable Object scalar(JsonNode node, String path) {
        boolean plain = node.isString() || node.isNumber();
        String text = plain
                ? text(node.isString() ? node.stringValue() : node.numberValue().toString(), path)
                : null;
        return text != null
                ? new Scalar(text)
                : plain ? null : refuse(path, "is " + Texts.shown(node) + "; give a quantity");
    }

    private @Nullable Object list(JsonNode node, Type item, String path) {
        if (!node.isArray()) {
            return refuse(path, "is " + Texts.shown(node) + "; give a list");
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            Object value = value(node.get(i), item, Bounds.NONE, path + "[" + i + "]");
            if (value != null) {
                items.add(value);
            }
        }
        return items.size() == node.size() ? items : null;
    }

    private @Nullable Object map(JsonNode node, Type item, String path) {
        if (!node.isObject()) {
            return refuse(path, "is " + Texts.shown(node) + "; give an object");
        }
        Map<String, Object> entries = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            String at = join(path, Texts.clip(property.getKey()));
            String key = text(property.getKey(), at);
            Object value = value(property.getValue(), item, Bounds.NONE, at);
            if (key != null && value != null) {
                entries.put(key, value);
            }
        }
        return entries.size() == node.size() ? entries : null;
    }

    /** Text that neither the database nor UTF-8 can hold is refused here, once, for every field. */
    private @Nullable String text(String text, String path) {
        if (!Texts.canBeStored(text)) {
            refuse(path, "holds a zero character or half a character (a lone surrogate); leave it out");
            return null;
        }
        return text;
    }

    private @Nullable Object refuse(String path, String message) {
        violations.add(path, message);
        return null;
    }

    private static String wanted(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class ? "a list" : "an object";
        }
        return type == String.class
                ? "a text"
                : type == Boolean.class
                        ? "true or false"
                        : type == Integer.class || type == Long.class ? "a whole number" : "an object";
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
