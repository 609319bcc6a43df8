package dev.tutti.web.calls;

import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** Query parameters and path values are as strict as bodies: a name nobody reads is a slip, not to be ignored. */
final class StrictParameters implements HandlerInterceptor {

    private static final int VALUE_LENGTH = 4_096;
    private static final String UNFIT = "holds a zero character or half a character, or is longer than " + VALUE_LENGTH
            + "; leave those out or give less";

    /** Spring itself would also take 0x10, other scripts' digits, "yes" and "on". */
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    private final Map<HandlerMethod, Map<String, Class<?>>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod method) || !isOurs(method)) {
            return true;
        }
        Violations violations = new Violations();
        Map<String, Class<?>> wanted = known.computeIfAbsent(method, StrictParameters::types);
        request.getParameterMap().forEach((name, values) -> check(name, values, wanted, violations));
        pathValues(request).forEach((name, value) -> {
            if (!isFit(value)) {
                violations.add(name, UNFIT);
            }
        });
        violations.orThrow();
        return true;
    }

    private static void check(String name, String[] values, Map<String, Class<?>> wanted, Violations violations) {
        Class<?> type = wanted.get(name);
        if (type == null) {
            violations.add(
                    name,
                    wanted.isEmpty() ? "is unknown; there are no parameters" : Nearest.hint(name, wanted.keySet()));
        }
        if (!Arrays.stream(values).allMatch(StrictParameters::isFit)) {
            violations.add(name, UNFIT);
        } else if (values.length > 1 && type != List.class) {
            violations.add(name, "is there twice; give it once");
        } else if (values[0].isEmpty()) {
            violations.add(name, "is empty; give a value or leave it out");
        } else if (isWhole(type) && !WHOLE.matcher(values[0]).matches()) {
            violations.add(name, "is \"" + values[0] + "\"; give a whole number");
        } else if (type == boolean.class && !values[0].equals("true") && !values[0].equals("false")) {
            violations.add(name, "is \"" + values[0] + "\"; give true or false");
        }
    }

    private static boolean isWhole(@Nullable Class<?> type) {
        return type == Integer.class || type == int.class || type == Long.class || type == long.class;
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

    private static Map<String, Class<?>> types(HandlerMethod method) {
        Map<String, Class<?>> types = new TreeMap<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam annotation = parameter.getParameterAnnotation(RequestParam.class);
            if (annotation != null) {
                String declared = parameter.getParameter().getName();
                types.put(annotation.name().isEmpty() ? declared : annotation.name(), parameter.getParameterType());
            }
        }
        return types;
    }
}
