package dev.tutti.testkit.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.test.context.ContextCustomizerFactories;

/**
 * On a Spring test class: its application context gets a fresh migrated database of {@link TestPostgres} and a data
 * folder of its own. The {@link TestDatabase} can be injected.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ContextCustomizerFactories(TestPostgresContextCustomizerFactory.class)
public @interface TestPostgresDatabase {

    /**
     * False: a context and a database for this class alone. True: all classes that say so and have equal settings share
     * one context and one database, which starts faster; they must not count on empty tables.
     */
    boolean shared() default false;
}
