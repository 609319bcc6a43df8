package dev.tutti.web.input;

import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import tools.jackson.databind.JsonNode;

/** Gives controllers their {@link Form} or {@link Document}: the body as JSON or YAML, read strictly. */
public final class FormResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Form.class || parameter.getParameterType() == Document.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders)
            throws IOException {
        HttpServletRequest request = web.getNativeRequest(HttpServletRequest.class);
        if (request == null) {
            throw new IllegalStateException("not a servlet request");
        }
        JsonNode tree = tree(request);
        if (parameter.getParameterType() == Document.class) {
            return new Document(tree, hash(request, tree));
        }
        Class<? extends Record> form = ResolvableType.forMethodParameter(parameter)
                .getGeneric()
                .resolve(Record.class)
                .asSubclass(Record.class);
        return new Form<>(FormReader.read(tree, form), hash(request, tree));
    }

    private static JsonNode tree(HttpServletRequest request) throws IOException {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new ProblemFound(Problem.violation(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    HttpHeaders.CONTENT_ENCODING,
                    "is \"" + Texts.clip(encoding) + "\"; leave it out and send the body as it is"));
        }
        byte[] body = BodyBytes.read(request.getInputStream());
        String type = request.getContentType();
        return type != null && type.toLowerCase(Locale.ROOT).contains("yaml")
                ? YamlTree.parse(body)
                : JsonTree.parse(body);
    }

    private static String hash(HttpServletRequest request, JsonNode tree) {
        return Hashes.sha256(request.getMethod() + " " + request.getRequestURI() + "\n" + CanonicalJson.of(tree));
    }
}
