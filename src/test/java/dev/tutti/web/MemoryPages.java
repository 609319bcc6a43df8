package dev.tutti.web;

import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Pages of a list in memory: the cursor is the last item's key. */
final class MemoryPages {

    private MemoryPages() {}

    static <T> Page<T> page(List<T> all, PageRequest page, Function<T, String> key) {
        int from = page.cursor() == null ? 0 : 1 + indexOf(all, page.cursor(), key);
        int to = Math.min(all.size(), from + page.limit());
        return new Page<>(all.subList(from, to), to < all.size() ? key.apply(all.get(to - 1)) : null);
    }

    private static <T> int indexOf(List<T> all, String cursor, Function<T, String> key) {
        return IntStream.range(0, all.size())
                .filter(i -> key.apply(all.get(i)).equals(cursor))
                .findFirst()
                .orElseThrow(() -> new BrokenCursor(cursor));
    }
}
