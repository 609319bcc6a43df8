package dev.tutti.boot.environment;

import dev.tutti.web.input.Nearest;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;

/**
 * Refuses a setting of Tutti's that nobody reads, before anything starts: swallowed, a slip would leave the default in
 * place unnoticed. What is known stands in the service's own {@code application.yaml}. It decides about names alone, on
 * the command line, in the environment and in application files; values are for those who read them. The environment is
 * shared with other programs: there only a name that is nearly one of Tutti's is a slip.
 */
public final class KnownSettings implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final String PREFIX = "tutti.";
    private static final String VARIABLE_PREFIX = "TUTTI_";
    private static final Pattern INDEX = Pattern.compile("\\[[^\\]]*]");

    /** What Kubernetes tells each pod of a Service whose name is or begins with tutti. */
    private static final Pattern SERVICE_LINK = Pattern.compile("TUTTI_(.+_)?(SERVICE_HOST|SERVICE_PORT|PORT)(_.+)?");

    /** What the tests read; whoever has set it still starts the service. */
    private static final String OF_THE_TESTS = "TUTTI_TRACE_DIR";

    private final SortedMap<String, String> properties = new TreeMap<>();
    private final SortedMap<String, String> variables = new TreeMap<>();

    /** Reads which settings there are. */
    public KnownSettings() {
        YamlPropertiesFactoryBean own = new YamlPropertiesFactoryBean();
        own.setResources(new ClassPathResource("application.yaml"));
        Objects.requireNonNull(own.getObject()).keySet().stream()
                .map(String::valueOf)
                .filter(name -> name.startsWith(PREFIX))
                .map(name -> INDEX.matcher(name).replaceAll(""))
                .forEach(this::know);
        DatabaseUrlPostProcessor.VARIABLES.forEach(name -> variables.put(letters(name), name));
    }

    private void know(String name) {
        properties.put(uniform(name), name);
        String variable = name.replace('.', '_').replace("-", "_").toUpperCase(Locale.ROOT);
        variables.put(letters(variable), variable);
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        for (PropertySource<?> source : event.getEnvironment().getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> given && isPeoples(given)) {
                boolean environment =
                        source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
                for (String name : given.getPropertyNames()) {
                    refusal(name, environment).ifPresent(refusal -> {
                        throw refusal;
                    });
                }
            }
        }
    }

    private static boolean isPeoples(EnumerablePropertySource<?> source) {
        return source instanceof CommandLinePropertySource
                || source instanceof OriginTrackedMapPropertySource
                || source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    }

    Optional<FailureAnalyzedException> refusal(String name, boolean environment) {
        if (name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
            return properties.containsKey(uniform(name))
                    ? Optional.empty()
                    : Optional.of(unknown(name, properties.values()));
        }
        boolean ours = environment
                && name.startsWith(VARIABLE_PREFIX)
                && !name.equals(OF_THE_TESTS)
                && !SERVICE_LINK.matcher(name).matches()
                && Nearest.to(name, variables.values()).isPresent();
        return ours && !variables.containsKey(letters(name))
                ? Optional.of(unknown(name, variables.values()))
                : Optional.empty();
    }

    private static FailureAnalyzedException unknown(String name, Collection<String> known) {
        return new FailureAnalyzedException(
                "There is no setting \"" + name + "\".",
                Nearest.to(name, known)
                        .map(meant -> "Did you mean " + meant + "?")
                        .orElse("Known are " + String.join(", ", known) + "."));
    }

    /** Spring reads dataDir, data_dir and data-dir as one name. */
    private static String uniform(String name) {
        return INDEX.matcher(name).replaceAll("").replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    /** Also a list's numbers are between underscores. */
    private static String letters(String variable) {
        return Stream.of(variable.split("_"))
                .filter(word -> !word.matches("\\d+"))
                .reduce("", String::concat)
                .toLowerCase(Locale.ROOT);
    }
}
