package dev.tutti.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rings of docs/architecture.md as rules. The table here and the table there are the same. */
final class Rings {

    static final Set<String> THINK = Set.of("model", "allocator", "defrag", "healing", "prediction");
    static final Set<String> DOORS = Set.of("store", "kubernetes", "telemetry", "web", "simulator");

    /** Rings that know no technology at all, so that they run in a test in microseconds. */
    static final Set<String> PURE =
            Set.of("model", "allocator", "defrag", "healing", "prediction", "control", "simulator");

    /** Technology and the rings that may touch it; boot may touch everything. */
    static final Map<String, Set<String>> TECHNOLOGY = Map.of(
            "io.fabric8..", Set.of("kubernetes", "boot"),
            "jakarta.persistence..", Set.of("store", "boot"),
            "org.hibernate..", Set.of("store", "boot"),
            "org.springframework.data..", Set.of("store", "boot"),
            "org.springframework.jdbc..", Set.of("store", "boot"),
            "org.springframework.web..", Set.of("web", "boot"),
            "jakarta.servlet..", Set.of("web", "boot"));

    private static final Map<String, Set<String>> TABLE = table();

    private Rings() {}

    /** Ring to the rings that it may see beside itself. */
    static Map<String, Set<String>> table() {
        Map<String, Set<String>> table = new LinkedHashMap<>();
        table.put("model", Set.of());
        table.put("allocator", Set.of("model"));
        table.put("defrag", Set.of("allocator", "model"));
        table.put("healing", Set.of("model"));
        table.put("prediction", Set.of("model"));
        table.put("control", THINK);
        for (String door : DOORS.stream().sorted().toList()) {
            table.put(door, with(THINK, "control"));
        }
        Set<String> everything = Set.copyOf(table.keySet());
        table.put("boot", everything);
        return table;
    }

    /** Every rule that holds between rings, for the rings below {@code base}. */
    static List<ArchRule> rules(String base) {
        List<ArchRule> rules = new ArrayList<>();
        TABLE.keySet().forEach(ring -> rules.add(seesOnlyWhatTheTableSays(base, ring)));
        PURE.forEach(ring -> rules.add(seesOnlyTheJdk(base, ring)));
        rules.add(onlyKnownRings(base));
        rules.add(technologyStaysBehindItsDoor(base));
        rules.add(entitiesAreRowsOfTheStore(base));
        rules.add(noFieldInjection(base));
        return rules;
    }

    static ArchRule seesOnlyWhatTheTableSays(String base, String ring) {
        List<String> allowed = new ArrayList<>(packages(base, with(TABLE.get(ring), ring)));
        return classes()
                .that()
                .resideInAPackage(base + "." + ring + "..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(base + ".."))
                        .or(resideInAnyPackage(allowed.toArray(String[]::new)))
                        .as("may be seen from " + ring))
                .as(ring + " sees only " + with(TABLE.get(ring), ring))
                .allowEmptyShould(true);
    }

    static ArchRule seesOnlyTheJdk(String base, String ring) {
        DescribedPredicate<JavaClass> jdk = resideInAnyPackage("java..", "org.jspecify..", base + "..")
                .and(not(resideInAnyPackage("java.sql..", "javax.sql..", "java.net.http..", "com.sun.net..")));
        DescribedPredicate<JavaClass> primitives = DescribedPredicate.describe(
                "primitives", type -> type.getBaseComponentType().isPrimitive());
        return classes()
                .that()
                .resideInAPackage(base + "." + ring + "..")
                .should()
                .onlyDependOnClassesThat(jdk.or(primitives).as("are the JDK's (without SQL and HTTP) or Tutti's"))
                .as(ring + " knows no technology")
                .allowEmptyShould(true);
    }

    static ArchRule onlyKnownRings(String base) {
        List<String> known = new ArrayList<>(packages(base, TABLE.keySet()));
        known.add(base);
        return classes()
                .that()
                .resideInAPackage(base + "..")
                .should()
                .resideInAnyPackage(known.toArray(String[]::new))
                .as("every class belongs to a ring")
                .allowEmptyShould(true);
    }

    static ArchRule technologyStaysBehindItsDoor(String base) {
        CompositeArchRule rule = null;
        for (Map.Entry<String, Set<String>> entry : TECHNOLOGY.entrySet()) {
            List<String> owners = packages(base, entry.getValue());
            ArchRule one = noClasses()
                    .that()
                    .resideInAPackage(base + "..")
                    .and()
                    .resideOutsideOfPackages(owners.toArray(String[]::new))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(entry.getKey())
                    .as("only " + entry.getValue() + " touch " + entry.getKey())
                    .allowEmptyShould(true);
            rule = rule == null ? CompositeArchRule.of(one) : rule.and(one);
        }
        return rule.as("technology stays behind its door");
    }

    static ArchRule entitiesAreRowsOfTheStore(String base) {
        return classes()
                .that()
                .areAnnotatedWith("jakarta.persistence.Entity")
                .should()
                .haveSimpleNameEndingWith("Row")
                .andShould()
                .resideInAPackage(base + ".store..")
                .as("entities end in Row and live in the store")
                .allowEmptyShould(true);
    }

    static ArchRule noFieldInjection(String base) {
        return fields().that()
                .areDeclaredInClassesThat()
                .resideInAPackage(base + "..")
                .should()
                .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
                .andShould()
                .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Value")
                .as("what a class needs comes through its constructor")
                .allowEmptyShould(true);
    }

    private static List<String> packages(String base, Set<String> rings) {
        return rings.stream().sorted().map(ring -> base + "." + ring + "..").toList();
    }

    private static Set<String> with(Set<String> rings, String one) {
        List<String> all = new ArrayList<>(rings);
        if (!all.contains(one)) {
            all.add(one);
        }
        return Set.copyOf(all);
    }
}
