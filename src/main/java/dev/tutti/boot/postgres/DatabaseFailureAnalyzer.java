package dev.tutti.boot.postgres;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence why a start failed on the database; leaves every other SQL error to its stack trace. */
final class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

    private static final String ADDRESS = "Check TUTTI_DATABASE_URL (or spring.datasource.url).";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        if (state.startsWith("08") || state.equals("3D000")) {
            return analysis("The database cannot be reached", cause, ADDRESS + " Is the server up?");
        }
        if (state.startsWith("28")) {
            return analysis("The database refuses the user", cause, "Check user and password beside the URL.");
        }
        if (state.equals("42704") && String.valueOf(cause.getMessage()).contains("transaction_timeout")) {
            return analysis("The database is too old", cause, "Tutti needs PostgreSQL 17 or newer.");
        }
        return null;
    }

    private static FailureAnalysis analysis(String what, SQLException cause, String action) {
        return new FailureAnalysis(what + ": " + cause.getMessage(), action, cause);
    }
}
