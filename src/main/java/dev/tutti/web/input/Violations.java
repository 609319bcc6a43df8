package dev.tutti.web.input;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects mistakes with their paths in the caller's document; at most {@link #MOST} are kept. */
public final class Violations {

    static final int MOST = 100;

    private final List<Violation> found = new ArrayList<>();

    public void add(String field, String message) {
        if (found.size() < MOST) {
            found.add(new Violation(field, message));
        }
    }

    /** Builds a value; its own violations are kept with {@code prefix} before their fields, and null is returned. */
    public <T> @Nullable T build(String prefix, Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidInput invalid) {
            invalid.violations().forEach(violation -> add(prefix + violation.field(), violation.message()));
            return null;
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Violation> list() {
        return List.copyOf(found);
    }

    public void orThrow() {
        if (!found.isEmpty()) {
            throw new InvalidInput(found);
        }
    }
}
