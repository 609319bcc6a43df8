package dev.tutti.allocator;

import dev.tutti.model.life.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the last decision found of one job that waits, at the state after its placements.
 *
 * @param verdict why it waits; null when it starts
 * @param findings what each that decides says of it, in order
 * @param openFlavors what each of its pod sets may use now of the flavors that it names, in order; nothing for any
 */
public record Inspection(@Nullable Reason verdict, List<Finding> findings, List<List<String>> openFlavors) {
    public Inspection {
        findings = List.copyOf(findings);
        openFlavors = openFlavors.stream().map(List::copyOf).toList();
    }
}
