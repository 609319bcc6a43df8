package dev.tutti.web.calls;

import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** Query parameters and path values are as strict as bodies: a name nobody reads is a slip, not to be ignored. */
final class StrictParameters implements HandlerInterceptor {

    private static final int VALUE_LENGTH = 4_096;

    private final Map<HandlerMethod, Set<String>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod method) || !isOurs(method)) {
            return true;
        }
        Violations violations = new Violations();
        Set<String> names = known.computeIfAbsent(method, StrictParameters::names);
        request.getParameterMap().forEach((name, values) -> {
            if (!names.contains(name)) {
                violations.add(
                        name, names.isEmpty() ? "is unknown; there are no parameters" : Nearest.hint(name, names));
            }
            if (!Arrays.stream(values).allMatch(StrictParameters::isFit)) {
                violations.add(name, "holds a zero character or is longer than " + VALUE_LENGTH);
            }
        });
        pathValues(request).forEach((name, value) -> {
            if (!isFit(value)) {
                violations.add(name, "holds a zero character or is longer than " + VALUE_LENGTH);
            }
        });
        violations.orThrow();
        return true;
    }

    private static boolean isOurs(HandlerMethod method) {
        return method.getBeanType().getName().startsWith("dev.tutti.web.");
    }

    private static boolean isFit(String value) {
        return value.length() <= VALUE_LENGTH && Texts.canBeStored(value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> pathValues(HttpServletRequest request) {
        Object values = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return values instanceof Map ? (Map<String, String>) values : Map.of();
    }

    private static Set<String> names(HandlerMethod method) {
        Set<String> names = new TreeSet<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam annotation = parameter.getParameterAnnotation(RequestParam.class);
            if (annotation != null) {
                String declared = parameter.getParameter().getName();
                names.add(annotation.name().isEmpty() ? declared : annotation.name());
            }
        }
        return names;
    }
}
