package dev.tutti.store;

import dev.tutti.control.Unavailable;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Reads errors of the database by their SQL state; decides only whether to try again, and says it in our words. */
public final class SqlErrors {

    private static final String LOCK_TIMEOUT = "55P03";

    /**
     * The server gave up on itself and undid the transaction. PostgreSQL 18.6 does so now and then when many sessions lock
     * and update the same rows inside savepoints ("new multixact has more than one updating member"). Not its neighbours
     * XX001 and XX002, which say that data is damaged.
     */
    private static final String INTERNAL_ERROR = "XX000";

    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "25", "40", "53", "57", "58");

    private SqlErrors() {}

    /** Whether the database understood the rows and will not have them: a constraint, a trigger or a wrong value. */
    public static boolean isRefusal(Throwable error) {
        String state = state(error);
        return state.startsWith("21") || state.startsWith("22") || state.startsWith("23") || state.equals("P0001");
    }

    /** Whether a lock could not be had within {@code lock_timeout}. */
    public static boolean isLockTimeout(Throwable error) {
        return state(error).equals(LOCK_TIMEOUT);
    }

    /** The server's own message, without the statement around it. */
    public static String words(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException failure) {
                ServerErrorMessage message = failure.getServerErrorMessage();
                if (message != null && message.getMessage() != null) {
                    return message.getMessage();
                }
            }
        }
        return String.valueOf(error.getMessage());
    }

    /** The same error, or {@link Unavailable} where trying again later may help. */
    static RuntimeException inOurWords(String what, RuntimeException error) {
        String state = state(error);
        boolean away = error instanceof CannotCreateTransactionException
                || error instanceof DataAccessResourceFailureException
                || state.equals(LOCK_TIMEOUT)
                || state.equals(INTERNAL_ERROR)
                || (state.length() == 5 && TRANSIENT_CLASSES.contains(state.substring(0, 2)));
        return away ? new Unavailable(what, error) : error;
    }

    private static String state(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException failure && failure.getSQLState() != null) {
                return failure.getSQLState();
            }
        }
        return "";
    }
}
