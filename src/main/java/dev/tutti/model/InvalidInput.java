package dev.tutti.model;

import java.util.List;
import java.util.stream.Collectors;

/** A caller's mistake: every violation found, never only the first. The web door answers it with 400. */
public final class InvalidInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    public InvalidInput(List<Violation> violations) {
        super(violations.stream().map(v -> v.field() + ": " + v.message()).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    public List<Violation> violations() {
        return violations;
    }
}
