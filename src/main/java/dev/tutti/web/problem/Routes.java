package dev.tutti.web.problem;

import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.UriUtils;

/** Knows the paths of the API, and which of them a caller of another path probably meant. */
@Component
final class Routes {

    private static final String ROOT = "/api/v1";
    private static final int LONGEST = 512;

    private final ObjectProvider<RequestMappingHandlerMapping> mapping;

    Routes(@Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mapping) {
        this.mapping = mapping;
    }

    /** One sentence for a path that nothing is at. */
    String unknown(String method, String path) {
        return "there is no such path"
                + nearest(method, path)
                        .map(route -> "; the nearest is " + route)
                        .orElse("; the API is below " + ROOT + " (" + ROOT
                                + "/jobs), and /swagger-ui.html shows all of it");
    }

    /** One sentence for a path of one thing with an action that there is not; empty for every other path. */
    Optional<String> unknownAction(String uri) {
        String path = UriUtils.decode(uri, StandardCharsets.UTF_8);
        int colon = path.lastIndexOf(':');
        if (path.length() > LONGEST || colon < path.lastIndexOf('/')) {
            return Optional.empty();
        }
        String collection = path.substring(0, path.lastIndexOf('/') + 1);
        String action = path.substring(colon + 1);
        List<String> known = of(
                        collection, route -> route.path().substring(route.path().indexOf('}') + 1))
                .filter(one -> one.startsWith(":"))
                .map(one -> one.substring(1))
                .toList();
        String methods = of(collection, route -> route.path().endsWith("}") ? route.method() : "")
                .filter(one -> !one.isEmpty())
                .collect(Collectors.joining(", "));
        boolean isAction = known.contains(action);
        if (isAction || known.isEmpty() && methods.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("there is no action \"" + Texts.clip(action) + "\" of " + collection + "{id}; "
                + (known.isEmpty() ? "it has none, and takes " + methods : "known are " + String.join(", ", known)));
    }

    /** Of the routes to one thing of a collection, in order. */
    private Stream<String> of(String collection, Function<Route, String> what) {
        return known().filter(route -> route.path().startsWith(collection + "{id}")
                        && route.path().indexOf('/', collection.length()) < 0)
                .map(what)
                .distinct()
                .sorted();
    }

    private Optional<String> nearest(String method, String path) {
        if (path.length() > LONGEST) {
            return Optional.empty();
        }
        record Near(String route, int slips) {}
        return known().flatMap(route -> Stream.of(path, ROOT + path)
                        .map(meant -> slips(words(meant), words(route.path())))
                        .flatMapToInt(OptionalInt::stream)
                        .mapToObj(slips -> new Near(
                                route.method() + " " + route.path(),
                                2 * slips + (route.method().equals(method) ? 0 : 1))))
                .min(Comparator.comparingInt(Near::slips).thenComparing(Near::route))
                .map(Near::route);
    }

    private record Route(String method, String path) {}

    private Stream<Route> known() {
        return mapping.stream()
                .flatMap(routes -> routes.getHandlerMethods().keySet().stream())
                .flatMap(info -> info.getPatternValues().stream()
                        .filter(path -> path.startsWith(ROOT))
                        .flatMap(path -> info.getMethodsCondition().getMethods().stream()
                                .map(method -> new Route(method.name(), path))));
    }

    /** A colon and a slash are taken for each other, and a slash too many for none. */
    private static List<String> words(String path) {
        List<String> words = new ArrayList<>(List.of(path.split("[/:]+")));
        words.removeIf(String::isEmpty);
        return words;
    }

    /** How many words were mistyped; empty for another path altogether. */
    private static OptionalInt slips(List<String> given, List<String> route) {
        if (given.size() != route.size()) {
            return OptionalInt.empty();
        }
        int slips = 0;
        for (int i = 0; i < given.size(); i++) {
            String word = route.get(i);
            if (!word.startsWith("{") && !word.equals(given.get(i))) {
                slips++;
                if (Nearest.to(given.get(i), List.of(word)).isEmpty()) {
                    return OptionalInt.empty();
                }
            }
        }
        return OptionalInt.of(slips);
    }
}
