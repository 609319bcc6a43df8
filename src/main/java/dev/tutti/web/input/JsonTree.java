package dev.tutti.web.input;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/** JSON text to a tree: one document, no key twice, no NaN, at most {@link #DEPTH} deep. */
public final class JsonTree {

    /** Arrays and objects inside each other. */
    static final int DEPTH = 32;

    private static final int TOKENS = 300_000;
    private static final int NUMBER_LENGTH = 64;
    private static final int NAME_LENGTH = 1_024;
    private static final int POINTER_LENGTH = 200;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .maxNumberLength(NUMBER_LENGTH)
                            .maxNameLength(NAME_LENGTH)
                            .maxStringLength(BodyBytes.LIMIT)
                            .maxDocumentLength(BodyBytes.LIMIT)
                            .maxTokenCount(TOKENS)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** A word that stands where a value should, NaN and Infinity among them. */
    private static final Pattern WORD = Pattern.compile("(?:Non-standard|Unrecognized) token ['\"]([^'\"]*)['\"]");

    /** What the parser says of its own settings. */
    private static final String SETTINGS =
            ",? ?(?:from|as per) `[^`]*`|[:;]? enable `[^`]*` to allow| ?\\(start marker at \\[.*";

    private JsonTree() {}

    /** Throws {@link MalformedBody} with line, column and field of the first mistake. */
    public static JsonNode parse(byte[] body) {
        try {
            JsonNode tree = MAPPER.readTree(BodyBytes.text(body));
            if (tree.isMissingNode()) {
                throw new MalformedBody("", "the body is empty; send a JSON object");
            }
            return tree;
        } catch (JacksonException broken) {
            throw new MalformedBody(field(broken), message(broken));
        }
    }

    private static String message(JacksonException broken) {
        TokenStreamLocation at = broken.getLocation();
        String where = at == null || at.getLineNr() < 1
                ? ""
                : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return where + plain(broken);
    }

    /** The parser's words without the names of its classes and settings. */
    private static String plain(JacksonException broken) {
        String text = broken.getOriginalMessage();
        if (broken instanceof MismatchedInputException || text == null) {
            return "more follows after the end of the document";
        }
        Matcher word = WORD.matcher(text);
        return word.lookingAt()
                ? "\"" + Texts.clip(word.group(1))
                        + "\" is no JSON; give a number, true, false, null, or a text in double quotes"
                : text.lines().findFirst().orElse("not JSON").replaceAll(SETTINGS, "");
    }

    private static String field(JacksonException broken) {
        return broken.processor() instanceof JsonParser parser ? path(parser) : "";
    }

    private static String path(JsonParser parser) {
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        return pathOf(pointer.length() > POINTER_LENGTH ? pointer.substring(0, POINTER_LENGTH) : pointer);
    }

    /** {@code /podSets/0/count} as {@code podSets[0].count}. */
    static String pathOf(@Nullable String pointer) {
        if (pointer == null || pointer.isEmpty()) {
            return "";
        }
        String dotted =
                pointer.substring(1).replaceAll("/(\\d+)(?=/|$)", "[$1]").replace('/', '.');
        return dotted.matches("\\d+.*") ? dotted.replaceFirst("^(\\d+)", "[$1]") : dotted;
    }
}
