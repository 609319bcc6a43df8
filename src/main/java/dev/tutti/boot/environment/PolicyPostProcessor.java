package dev.tutti.boot.environment;

import dev.tutti.allocator.policy.Policies;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.ConfigurableEnvironment;

/** Refuses a policy that does not exist before anything starts: a database takes seconds, a wrong word none. */
public final class PolicyPostProcessor implements EnvironmentPostProcessor {

    private static final String NAME = "tutti.policy";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String policy = environment.getProperty(NAME);
        if (policy != null && Policies.find(policy.strip()).isEmpty()) {
            throw new FailureAnalyzedException(
                    NAME + " is \"" + policy + "\", which is no policy.",
                    "Give one of " + String.join(", ", Policies.names()) + ".");
        }
    }
}
