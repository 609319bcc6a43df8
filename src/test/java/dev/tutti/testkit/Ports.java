package dev.tutti.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stands between a caller and any port, so that a test can lose, delay or watch calls. */
public final class Ports {

    private Ports() {}

    /** What to do around each call. */
    @FunctionalInterface
    public interface Around {
        @Nullable
        Object call(Method method, Call call);
    }

    /** One call on its way. */
    public interface Call {
        @Nullable
        Object call();

        /** The same call with other arguments. */
        @Nullable
        Object with(Object[] arguments);

        Object[] arguments();
    }

    /** The same port with {@code around} in its way. */
    @SuppressWarnings("unchecked")
    public static <T> T around(Class<T> port, T real, Around around) {
        return (T) Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            Object[] arguments = args == null ? new Object[0] : args;
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(real, arguments);
            }
            return around.call(method, new Direct(real, method, arguments));
        });
    }

    private record Direct(Object real, Method method, Object[] arguments) implements Call {
        @Override
        public @Nullable Object with(Object[] others) {
            return new Direct(real, method, others).call();
        }

        @Override
        public @Nullable Object call() {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException thrown) {
                if (thrown.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                if (thrown.getCause() instanceof Error cause) {
                    throw cause;
                }
                throw new IllegalStateException(thrown.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
