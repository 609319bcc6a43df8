package dev.tutti.web.problem;

/** Ends the handling of a request with this problem. */
public final class ProblemFound extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public ProblemFound(Problem problem) {
        super(problem.kind() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    public ProblemFound(ProblemKind kind, String detail) {
        this(Problem.of(kind, detail));
    }

    public Problem problem() {
        return problem;
    }
}
