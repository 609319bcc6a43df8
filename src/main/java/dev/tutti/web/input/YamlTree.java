package dev.tutti.web.input;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * YAML text to a tree, event by event, so that nothing can grow or nest beyond the limits: one document, no aliases (the
 * stuff of YAML bombs), no tags, no key twice. Plain words become null, booleans and numbers as in YAML 1.2; everything
 * else stays text.
 */
public final class YamlTree {

    private static final int NODES = 50_000;
    private static final int NUMBER_LENGTH = 64;
    private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");
    private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Pattern INTEGER = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?([0-9]*\\.[0-9]+|[0-9]+\\.?)([eE][-+]?[0-9]{1,3})?");
    private static final JsonNodeFactory NODE = JsonNodeFactory.instance;
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(BodyBytes.LIMIT)
            .setLabel("body")
            .build();

    /** Containers that are open, the innermost last. */
    private final Deque<Open> open = new ArrayDeque<>();

    private @Nullable JsonNode root;
    private int nodes;

    private YamlTree() {}

    /** A container that is being filled; in a mapping also the key whose value comes next. */
    private static final class Open {
        final JsonNode container;

        @Nullable
        String key;

        Open(JsonNode container) {
            this.container = container;
        }
    }

    /** Throws {@link MalformedBody} with line and column of the first mistake. */
    public static JsonNode parse(byte[] body) {
        YamlTree tree = new YamlTree();
        try {
            for (Event event : new Parse(SETTINGS).parseString(BodyBytes.text(body))) {
                tree.take(event);
            }
        } catch (MarkedYamlEngineException broken) {
            throw malformed(broken.getProblemMark(), broken.getProblem());
        } catch (YamlEngineException broken) {
            throw new MalformedBody("", "not YAML");
        }
        if (tree.root == null) {
            throw new MalformedBody("", "the body is empty; send a YAML document");
        }
        return tree.root;
    }

    private void take(Event event) {
        if (event instanceof NodeEvent) {
            checkNode(event);
        }
        switch (event.getEventId()) {
            case Scalar -> takeScalar((ScalarEvent) event);
            case SequenceStart -> begin(event, NODE.arrayNode());
            case MappingStart -> begin(event, NODE.objectNode());
            case SequenceEnd, MappingEnd -> open.removeLast();
            case Alias -> throw malformed(event.getStartMark(), "aliases are not taken; write the value out");
            default -> {
                // Starts and ends of stream and document carry nothing; comments are not parsed.
            }
        }
    }

    private void checkNode(Event event) {
        nodes++;
        if (nodes > NODES) {
            throw malformed(event.getStartMark(), "more than " + NODES + " values");
        }
        if (open.isEmpty() && root != null) {
            throw malformed(event.getStartMark(), "a second document; send one at a time");
        }
    }

    private void begin(Event event, JsonNode container) {
        if (open.size() >= JsonTree.DEPTH) {
            throw malformed(event.getStartMark(), "nested deeper than " + JsonTree.DEPTH);
        }
        put(event, container);
        open.addLast(new Open(container));
    }

    private void takeScalar(ScalarEvent event) {
        if (event.getTag().isPresent()) {
            throw malformed(event.getStartMark(), "tags are not taken");
        }
        Open parent = open.peekLast();
        if (parent != null && parent.container.isObject() && parent.key == null) {
            parent.key = event.getValue();
            if (parent.container.has(parent.key)) {
                throw malformed(event.getStartMark(), "a key twice");
            }
            return;
        }
        put(event, event.isPlain() ? plain(event.getValue()) : NODE.stringNode(event.getValue()));
    }

    private void put(Event event, JsonNode value) {
        Open parent = open.peekLast();
        if (parent == null) {
            root = value;
        } else if (parent.container instanceof ArrayNode list) {
            list.add(value);
        } else if (parent.container instanceof ObjectNode object && parent.key != null) {
            object.set(parent.key, value);
            parent.key = null;
        } else {
            throw malformed(event.getStartMark(), "a key that is no text");
        }
    }

    private static JsonNode plain(String text) {
        if (NULL.matcher(text).matches()) {
            return NODE.nullNode();
        }
        if (BOOLEAN.matcher(text).matches()) {
            return NODE.booleanNode(Boolean.parseBoolean(text));
        }
        if (text.length() <= NUMBER_LENGTH && INTEGER.matcher(text).matches()) {
            return integer(new BigInteger(text));
        }
        return text.length() <= NUMBER_LENGTH && DECIMAL.matcher(text).matches()
                ? NODE.numberNode(new BigDecimal(text))
                : NODE.stringNode(text);
    }

    /** As the JSON parser does it: the smallest kind that holds the number. */
    private static JsonNode integer(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return NODE.numberNode(value.intValueExact());
        }
        return value.bitLength() < Long.SIZE ? NODE.numberNode(value.longValueExact()) : NODE.numberNode(value);
    }

    private static MalformedBody malformed(Optional<Mark> mark, @Nullable String problem) {
        String where = mark.map(at -> "line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1) + ": ")
                .orElse("");
        return new MalformedBody("", where + (problem == null ? "not YAML" : problem));
    }
}
