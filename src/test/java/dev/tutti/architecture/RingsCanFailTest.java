package dev.tutti.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule of the rings is broken once on purpose, and must notice. */
class RingsCanFailTest {

    private static final String BASE = "bad";

    private static final Set<String> TECHNOLOGIES = Set.of(
            "org.springframework.context.ApplicationContext",
            "jakarta.persistence.EntityManager",
            "tools.jackson.databind.ObjectMapper",
            "com.fasterxml.jackson.annotation.JsonProperty",
            "io.fabric8.kubernetes.client.KubernetesClient",
            "java.sql.Connection",
            "javax.sql.DataSource",
            "java.net.http.HttpClient",
            "org.slf4j.Logger");

    @TempDir
    Path folder;

    @Test
    void everyForbiddenLookFromRingToRingIsCaughtAndEveryAllowedOneIsNot() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        Set<String> rings = new TreeSet<>(Rings.table().keySet());
        rings.forEach(ring -> sources.put(name(ring, "Target"), type(ring, "Target", "")));
        for (String ring : rings) {
            for (String other : rings) {
                sources.put(
                        name(ring, "Sees" + other),
                        type(ring, "Sees" + other, "public " + name(other, "Target") + " field;"));
            }
        }
        JavaClasses classes = CounterExample.compile(folder, sources);

        for (String ring : rings) {
            String report = report(Rings.seesOnlyWhatTheTableSays(BASE, ring), classes);
            for (String other : rings) {
                boolean allowed = ring.equals(other) || Rings.table().get(ring).contains(other);
                assertThat(report.contains(name(ring, "Sees" + other)))
                        .as(ring + " sees " + other + " and is caught")
                        .isEqualTo(!allowed);
            }
        }
    }

    @Test
    void everyTechnologyInAPureRingIsCaught() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String ring : Rings.PURE) {
            for (String technology : TECHNOLOGIES) {
                String simple = "Uses" + technology.replace(".", "_");
                sources.put(name(ring, simple), type(ring, simple, technology + " field;"));
            }
            sources.put(
                    name(ring, "Plain"),
                    type(ring, "Plain", "java.util.List<int[]> a; java.time.Instant[] b; long c;"));
        }
        JavaClasses classes = CounterExample.compile(folder, sources);

        for (String ring : Rings.PURE) {
            String report = report(Rings.seesOnlyTheJdk(BASE, ring), classes);
            assertThat(report).as(ring).doesNotContain(name(ring, "Plain"));
            for (String technology : TECHNOLOGIES) {
                assertThat(report).as(ring).contains("Uses" + technology.replace(".", "_"));
            }
        }
    }

    @Test
    void aPackageOutsideTheTableIsCaught() throws IOException {
        JavaClasses classes =
                CounterExample.compile(folder, Map.of("bad.helpers.Util", type("helpers", "Util", "int field;")));

        assertThat(report(Rings.onlyKnownRings(BASE), classes)).contains("bad.helpers.Util");
    }

    @Test
    void technologyInFrontOfTheWrongDoorIsCaught() throws IOException {
        JavaClasses classes = CounterExample.compile(
                folder,
                Map.of(
                        "bad.web.A", type("web", "A", "io.fabric8.kubernetes.client.KubernetesClient field;"),
                        "bad.web.B", type("web", "B", "org.springframework.jdbc.core.simple.JdbcClient field;"),
                        "bad.web.C", type("web", "C", "jakarta.persistence.EntityManager field;"),
                        "bad.store.D",
                                type("store", "D", "org.springframework.web.bind.annotation.RestController field;"),
                        "bad.kubernetes.E", type("kubernetes", "E", "jakarta.servlet.Filter field;"),
                        "bad.web.F", type("web", "F", "org.springframework.data.repository.Repository<?, ?> field;"),
                        "bad.web.G", type("web", "G", "org.hibernate.Session field;")));

        assertThat(report(Rings.technologyStaysBehindItsDoor(BASE), classes))
                .contains(
                        "bad.web.A",
                        "bad.web.B",
                        "bad.web.C",
                        "bad.store.D",
                        "bad.kubernetes.E",
                        "bad.web.F",
                        "bad.web.G");
    }

    @Test
    void anEntityWithoutItsNameOrOutsideTheStoreIsCaught() throws IOException {
        JavaClasses classes = CounterExample.compile(
                folder,
                Map.of(
                        "bad.store.Job", "package bad.store; @jakarta.persistence.Entity public class Job {}",
                        "bad.web.JobRow", "package bad.web; @jakarta.persistence.Entity public class JobRow {}"));

        assertThat(report(Rings.entitiesAreRowsOfTheStore(BASE), classes)).contains("bad.store.Job", "bad.web.JobRow");
    }

    @Test
    void fieldInjectionIsCaught() throws IOException {
        String autowired = "@org.springframework.beans.factory.annotation.Autowired int one;";
        String value = "@org.springframework.beans.factory.annotation.Value(\"1\") int two;";
        JavaClasses classes =
                CounterExample.compile(folder, Map.of("bad.web.Door", type("web", "Door", autowired + value)));

        assertThat(report(Rings.noFieldInjection(BASE), classes)).contains("bad.web.Door.one", "bad.web.Door.two");
    }

    private static String report(ArchRule rule, JavaClasses classes) {
        return rule.evaluate(classes).getFailureReport().toString();
    }

    private static String name(String ring, String simple) {
        return BASE + "." + ring + "." + simple;
    }

    private static String type(String ring, String simple, String members) {
        return "package " + BASE + "." + ring + "; public class " + simple + " { " + members + " }";
    }
}
