package dev.tutti.allocator;

import dev.tutti.model.life.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the last decision found of one job that waits, at the state after its placements.
 *
 * @param verdict why it waits; null when it starts
 * @param findings what each that decides says of it, in order
 */
public record Inspection(@Nullable Reason verdict, List<Finding> findings) {
    public Inspection {
        findings = List.copyOf(findings);
    }
}
