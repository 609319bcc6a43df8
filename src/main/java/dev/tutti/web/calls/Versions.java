package dev.tutti.web.calls;

import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Row versions as ETags. {@code "7"} is version 7; {@code "7-12-34"} is version 7 of a job at position 12 with a sentence of which 34 is the mark. */
public final class Versions {

    private static final Pattern ETAG = Pattern.compile("\"(\\d{1,18})(-\\d{1,18}){0,2}\"");

    private Versions() {}

    public static String etag(long version) {
        return "\"" + version + "\"";
    }

    /** Also says a job's position and why it waits, which change without a new version. */
    public static String etag(long version, @Nullable Long position, @Nullable String sentence) {
        if (position == null) {
            return etag(version);
        }
        long mark = sentence == null ? 0 : Integer.toUnsignedLong(sentence.hashCode());
        return "\"" + version + "-" + position + "-" + mark + "\"";
    }

    /** The version that {@code ifMatch} asks for; null for none and for {@code *}. */
    public static @Nullable Long wanted(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return null;
        }
        Matcher matcher = ETAG.matcher(ifMatch.strip());
        if (!matcher.matches()) {
            throw new ProblemFound(Problem.violation(
                    ProblemKind.VALIDATION,
                    "If-Match",
                    "is not one ETag of this service; give that of your last GET, such as \"4\" with its quotes"));
        }
        return Long.valueOf(matcher.group(1));
    }

    /** The version that {@code ifMatch} asks for; 428 without one. */
    public static long required(@Nullable String ifMatch) {
        Long wanted = wanted(ifMatch);
        if (wanted == null) {
            throw new ProblemFound(
                    ProblemKind.PRECONDITION_REQUIRED, "send the resource's ETag as If-Match; * stands for no version");
        }
        return wanted;
    }

    public static ProblemFound stale(long version) {
        return new ProblemFound(
                ProblemKind.STALE,
                "it has version " + version + " now; read it again, and send the change anew if you still want it");
    }
}
