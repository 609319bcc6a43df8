package dev.tutti.web.problem;

import java.util.Locale;

/** Every kind of problem there is. The name is the {@code code}; the page at {@link #type()} shows the explanation. */
public enum ProblemKind {
    VALIDATION(
            400,
            "The request is understood but not acceptable",
            "Each violation names a field and says what is wrong with it and what would be right. Nothing was stored."
                    + " Correct the fields and send the request again."),
    MALFORMED(
            400,
            "The request cannot be read",
            "The body is not a JSON or YAML document (broken syntax, a key twice, nested too deep), or the request itself"
                    + " is broken. The violation says where. Nothing was stored."),
    MISCONFIGURED(
            400,
            "The manifest asks for something Tutti does not do",
            "Tutti never binds a pod whose wishes it would not honour. The violation names the field of the manifest;"
                    + " leave it out, or run that workload elsewhere. Nothing was stored."),
    UNAUTHENTICATED(
            401,
            "An API key is needed",
            "Send the key as \"Authorization: Bearer <key>\". The key is missing, unknown or expired."),
    FORBIDDEN(
            403,
            "The caller's role does not allow this",
            "Viewers read, submitters submit and cancel jobs, operators hold queues and set their quotas, administrators"
                    + " create and remove queues, and make and revoke API keys. Each may do what the ones before it may."),
    FOREIGN_ORIGIN(
            403,
            "Only this machine may call",
            "Without an API key the service answers programs and pages of its own machine only. Set TUTTI_API_KEY and"
                    + " call with that key to reach it from elsewhere."),
    NOT_FOUND(404, "There is nothing here", "No route has this path, or nothing has this id. Ids are opaque."),
    METHOD_NOT_ALLOWED(405, "The path knows other methods", "The Allow header lists the methods this path knows."),
    NOT_ACCEPTABLE(
            406, "The answer has no such form", "Ask for application/json; the event stream is text/event-stream."),
    CONFLICT(409, "The state of things does not allow this", "The detail says what stands in the way."),
    KEY_BUSY(
            409,
            "Another call with this Idempotency-Key is still running",
            "Wait for the seconds of the Retry-After header and send the same request again."),
    SHOWN_ONCE(
            409,
            "It was made by an earlier call and is not shown again",
            "An earlier call with this Idempotency-Key made the API key and showed it in its answer. Tutti keeps only a"
                    + " hash of it. If that answer was lost, revoke the API key that the detail names and make a new one,"
                    + " with a new Idempotency-Key."),
    CURSOR_TOO_OLD(
            410,
            "Events at this cursor are no longer kept",
            "List the resources again and follow the stream from now, without Last-Event-ID."),
    STALE(
            412,
            "It has changed since it was read",
            "The If-Match header names an older version. Read again, decide again, send the new ETag."),
    TOO_LARGE(413, "The body is too large", "A body may have 1 MiB. Split a batch into several."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "The body has no known form",
            "The Accept headers of the answer list the media types this path takes."),
    KEY_REUSED(
            422,
            "The Idempotency-Key was used with another request",
            "A key stands for one request. It is kept for 24 hours. Take a new key for a new request."),
    PRECONDITION_REQUIRED(
            428,
            "If-Match is required",
            "Read the resource first and send its ETag as If-Match, so that nobody's change is lost."),
    TOO_MANY_REQUESTS(
            429,
            "Too many requests",
            "Wait for the seconds of the Retry-After header. The RateLimit headers tell what is left."),
    INTERNAL(
            500,
            "Tutti has made a mistake",
            "This is a defect. The traceId finds it in the log of the service; please report it."),
    UNAVAILABLE(
            503,
            "Not now",
            "The database cannot be reached or is full of work, or too many streams are open. Wait for the seconds of"
                    + " the Retry-After header and send the same request again."),
    OUTCOME_UNKNOWN(
            503,
            "It may have happened",
            "The database was lost before it confirmed. Send the same request with the same Idempotency-Key again, or"
                    + " read back before you repeat it.");

    private final int status;
    private final String title;
    private final String explanation;

    ProblemKind(int status, String title, String explanation) {
        this.status = status;
        this.title = title;
        this.explanation = explanation;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** What it means and what to do, for people. */
    public String explanation() {
        return explanation;
    }

    /** Last part of the type's path. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The type URI: a path of this service. */
    public String type() {
        return "/problems/" + slug();
    }
}
