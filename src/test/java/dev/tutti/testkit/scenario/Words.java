package dev.tutti.testkit.scenario;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One line: a name, then words of the form key=value, or flags. A word nobody asked for is a mistake in the test. */
final class Words {

    private final String line;
    private final String name;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();

    Words(String line) {
        this.line = line;
        String[] words = line.trim().split("\\s+");
        name = words[0];
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            int at = word.indexOf('=');
            values.put(at < 0 ? word : word.substring(0, at), at < 0 ? "" : word.substring(at + 1));
        }
    }

    String name() {
        return name;
    }

    @Nullable
    String text(String key) {
        asked.add(key);
        return values.get(key);
    }

    String text(String key, String otherwise) {
        String found = text(key);
        return found == null ? otherwise : found;
    }

    long number(String key, long otherwise) {
        String found = text(key);
        return found == null ? otherwise : Long.parseLong(found);
    }

    List<String> list(String key) {
        String found = text(key);
        return found == null || found.isEmpty() ? List.of() : List.of(found.split(","));
    }

    boolean flag(String key) {
        return text(key) != null;
    }

    void nothingElse() {
        Set<String> rest = new HashSet<>(values.keySet());
        rest.removeAll(asked);
        if (!rest.isEmpty()) {
            throw new IllegalArgumentException("unknown words " + rest + " in: " + line);
        }
    }
}
