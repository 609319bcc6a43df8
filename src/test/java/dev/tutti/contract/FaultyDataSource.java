package dev.tutti.contract;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source that counts statements and loses connections on demand. */
final class FaultyDataSource {

    private final DataSource real;
    private final AtomicInteger statements = new AtomicInteger();
    private volatile boolean loseReply;
    private volatile int breakAt = Integer.MAX_VALUE;

    FaultyDataSource(DataSource real) {
        this.real = real;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof Connection connection ? faulty(connection) : result;
        });
    }

    /** The next commit happens, but its reply does not arrive. */
    void loseTheReplyOfTheNextCommit() {
        loseReply = true;
    }

    /** From this statement on, counted from 1, the connection is gone. */
    void breakAtStatement(int number) {
        breakAt = number;
    }

    int statements() {
        return statements.get();
    }

    private Connection faulty(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            boolean statement = method.getName().equals("prepareStatement");
            if (statement && statements.incrementAndGet() >= breakAt) {
                throw new SQLException("connection lost", "08006");
            }
            Object result = call(connection, method, arguments);
            if (method.getName().equals("commit") && loseReply) {
                loseReply = false;
                throw new SQLException("connection lost", "08006");
            }
            return result;
        });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
