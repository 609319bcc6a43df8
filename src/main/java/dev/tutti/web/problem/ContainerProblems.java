package dev.tutti.web.problem;

import org.apache.catalina.Host;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Has Tomcat answer with our problems also where no application is asked: a broken request line, a bad header. */
@Component
final class ContainerProblems implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof Host host && host instanceof StandardHost standard) {
                standard.setErrorReportValveClass(ProblemValve.class.getName());
            }
        });
    }
}
