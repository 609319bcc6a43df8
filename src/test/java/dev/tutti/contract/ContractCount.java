package dev.tutti.contract;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Prints how many tests of the contract ran against this adapter, so that the numbers can be compared. */
final class ContractCount implements AfterTestExecutionCallback, AfterAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(ContractCount.class);

    @Override
    public void afterTestExecution(ExtensionContext context) {
        counter(context).incrementAndGet();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.out.println("=== contract: " + counter(context).get() + " tests ran in "
                + context.getRequiredTestClass().getSimpleName());
    }

    private static AtomicInteger counter(ExtensionContext context) {
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent()) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        return ofClass.getStore(NAMESPACE)
                .computeIfAbsent(
                        context.getRequiredTestClass().getName(), key -> new AtomicInteger(), AtomicInteger.class);
    }
}
