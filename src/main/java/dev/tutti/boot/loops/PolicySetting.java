package dev.tutti.boot.loops;

import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.stereotype.Component;

/** By which policy this service ranks the nodes that hold a pod. A name that is none ends the start earlier. */
@Component
final class PolicySetting {

    private final String name;

    PolicySetting(@Value("${tutti.policy}") String name) {
        this.name = name;
    }

    Policy policy() {
        return Policies.find(name.strip())
                .orElseThrow(() -> new FailureAnalyzedException(
                        "tutti.policy is \"" + name + "\", which is no policy.",
                        "Give one of " + String.join(", ", Policies.names()) + "."));
    }
}
