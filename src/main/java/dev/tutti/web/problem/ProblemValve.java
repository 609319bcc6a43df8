package dev.tutti.web.problem;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** Tomcat's last word on a failed request. Tomcat makes it by name, so it is public. */
public final class ProblemValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            Problem problem = Problem.of(
                    FrameworkProblems.kind(status),
                    "the request was refused before it was read; look for what paths and headers may not hold, such as %2F in a name"
                            + " (a queue below another is found by the id that its list gives)");
            ProblemWriter.write(request.getRequest(), response.getResponse(), problem);
            response.finishResponse();
        } catch (IOException gone) {
            containerLog(gone);
        }
    }

    private void containerLog(IOException gone) {
        container.getLogger().debug("the caller has gone", gone);
    }
}
