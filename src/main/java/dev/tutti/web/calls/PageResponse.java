package dev.tutti.web.calls;

import dev.tutti.control.read.Page;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page of a list. */
public record PageResponse<T>(
        List<T> items,

        @Schema(description = "Cursor of the next page; absent on the last.") @Nullable
        String next) {

    public static <A, B> PageResponse<B> of(Page<A> page, Function<A, B> form) {
        return new PageResponse<>(page.items().stream().map(form).toList(), page.next());
    }

    /** A list that is never longer than a page. */
    public static <A, B> PageResponse<B> whole(List<A> items, Function<A, B> form) {
        return new PageResponse<>(items.stream().map(form).toList(), null);
    }
}
