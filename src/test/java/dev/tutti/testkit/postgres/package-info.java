/** Real PostgreSQL for tests: one server for each test process, one fresh migrated database for each test class. */
@NullMarked
package dev.tutti.testkit.postgres;

import org.jspecify.annotations.NullMarked;
