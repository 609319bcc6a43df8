package dev.tutti.web.input;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a record's form looks like: its fields by name, and how to make one. */
final class Shape {

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return new Shape(type);
        }
    };

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Set<String> fixed = new HashSet<>();
    private final Constructor<?> constructor;

    private Shape(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components) {
            boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            fields.put(component.getName(), new Field(component.getGenericType(), optional, Bounds.of(component)));
        }
        if (type.isAnnotationPresent(Fixed.class)) {
            for (Class<? extends Record> whole : type.getAnnotation(Fixed.class).value()) {
                fixed.addAll(Shape.of(whole).fields.keySet());
            }
            fixed.removeAll(fields.keySet());
        }
        try {
            constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(type + " is no record", impossible);
        }
    }

    static Shape of(Class<?> record) {
        return SHAPES.get(record);
    }

    Map<String, Field> fields() {
        return fields;
    }

    /** Names that are no field here because what they name never changes. */
    Set<String> fixed() {
        return fixed;
    }

    Object make(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("cannot make a " + constructor.getDeclaringClass(), impossible);
        }
    }

    /** One field of a form. */
    record Field(Type type, boolean optional, Bounds bounds) {}
}
