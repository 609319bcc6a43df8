package dev.tutti.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Gives the context of a {@link TestPostgresDatabase} class its database and its data folder. */
final class TestPostgresContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        TestPostgresDatabase wish =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, TestPostgresDatabase.class);
        return wish == null ? null : new Customizer(wish.shared() ? "shared" : testClass.getName());
    }

    /** Equal owners share a context, so the owner decides who shares a database. */
    private record Customizer(String owner) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            TestDatabase database = TestPostgres.freshDatabase();
            context.getBeanFactory().registerSingleton("testDatabase", database);
            TestPropertyValues.of(
                            "spring.datasource.url=" + database.jdbcUrl(),
                            "spring.datasource.username=" + database.user(),
                            "spring.datasource.password=" + database.password(),
                            "spring.test.database.replace=none",
                            "tutti.data-dir=" + dataFolder())
                    .applyTo(context);
        }

        private static String dataFolder() {
            try {
                return Files.createTempDirectory("tutti-data").toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
