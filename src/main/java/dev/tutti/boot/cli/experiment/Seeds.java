package dev.tutti.boot.cli.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads seeds such as {@code 42}, {@code 42-51} or {@code 1,5,42-51}. */
final class Seeds {

    static final int MOST = 1_000;

    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private Seeds() {}

    /**
     * The seeds, in the order given.
     *
     * @throws IllegalArgumentException when the text is none of these, names a seed twice, or more than {@link #MOST}
     */
    static List<Long> parse(String text) {
        Set<Long> seeds = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = PART.matcher(part.strip());
            long first = range.matches() ? Long.parseLong(range.group(1)) : 0;
            long last = range.matches() && range.group(2) != null ? Long.parseLong(range.group(2)) : first;
            if (!range.matches() || last < first) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" names no seeds; give whole numbers and ranges such as 42-51 or 1,5,42-51");
            }
            for (long seed = first; seed <= last; seed++) {
                if (!seeds.add(seed)) {
                    throw new IllegalArgumentException(
                            "\"" + text + "\" names the seed " + seed + " twice; give each once");
                }
                if (seeds.size() > MOST) {
                    throw new IllegalArgumentException(
                            "\"" + text + "\" names more than " + MOST + " seeds; give fewer, such as 42-51");
                }
            }
        }
        return new ArrayList<>(seeds);
    }
}
