package dev.tutti.web.problem;

import io.swagger.v3.oas.annotations.Hidden;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The pages behind the {@code type} of a problem. All their text is ours. */
@Hidden
@RestController
final class ProblemPages {

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    @GetMapping("/problems")
    ResponseEntity<byte[]> all() {
        String list = Arrays.stream(ProblemKind.values())
                .map(kind -> "<li><a href=\"%s\">%s</a>: %s</li>".formatted(kind.type(), kind, kind.title()))
                .collect(Collectors.joining());
        return page("Problems", "<ul>" + list + "</ul>");
    }

    @GetMapping("/problems/{slug}")
    ResponseEntity<byte[]> one(@PathVariable String slug) {
        ProblemKind kind = Arrays.stream(ProblemKind.values())
                .filter(candidate -> candidate.slug().equals(slug))
                .findFirst()
                .orElseThrow(() -> new ProblemFound(ProblemKind.NOT_FOUND, "there is no such kind of problem"));
        return page(
                kind.title(),
                "<p>%s</p><p>Code <code>%s</code>, status %d. <a href=\"/problems\">All problems</a></p>"
                        .formatted(kind.explanation().replace("<", "&lt;"), kind, kind.status()));
    }

    private static ResponseEntity<byte[]> page(String title, String body) {
        String html = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head>"
                        .formatted(title)
                + "<body><h1>%s</h1>%s</body></html>".formatted(title, body);
        return ResponseEntity.ok().contentType(HTML).body(html.getBytes(StandardCharsets.UTF_8));
    }
}
