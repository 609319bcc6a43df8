package dev.tutti.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The production classes keep to the rings. */
class RingsTest {

    @TestFactory
    Stream<DynamicTest> theRingsHold() {
        JavaClasses production = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.tutti");
        return Rings.rules("dev.tutti").stream().map(rule -> holds(rule, production));
    }

    private static DynamicTest holds(ArchRule rule, JavaClasses production) {
        return DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(production));
    }
}
