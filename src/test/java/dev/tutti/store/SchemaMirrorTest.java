package dev.tutti.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Identities;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema and the model name the same things (house rule R8). */
class SchemaMirrorTest {

    private static TestDatabase database;

    @BeforeAll
    static void open() {
        database = TestPostgres.freshDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void theDatabaseAllowsTheStateChangesThatTheJobsLifeAllows() {
        Set<String> allowed = new TreeSet<>();
        for (JobState from : JobState.values()) {
            for (JobState to : JobState.values()) {
                if (from != to && JobLife.allows(from, to)) {
                    allowed.add(from + " " + to);
                }
            }
        }
        assertThat(texts("SELECT from_state || ' ' || to_state FROM job_state_changes"))
                .containsExactlyInAnyOrderElementsOf(allowed);
    }

    static Stream<Arguments> lists() {
        return Stream.of(
                Arguments.of("jobs", "state", names(JobState.values())),
                Arguments.of("jobs", "cause", names(EndCause.values())),
                Arguments.of("jobs", "reason_code", names(ReasonCode.values())),
                Arguments.of("attempts", "cause", names(EndCause.values())),
                Arguments.of("allocations", "cause", names(EndCause.values())),
                Arguments.of("allocations", "leaving", names(EndCause.values())),
                Arguments.of("allocations", "phase", names(MemberPhase.values())),
                Arguments.of("api_keys", "role", names(Identities.Role.values())));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aCheckListsTheConstantsOfItsEnum(String table, String column, List<String> constants) {
        String check = texts("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '%s_%s_check'"
                        .formatted(table, column))
                .get(0);
        Set<String> listed = new TreeSet<>();
        Matcher words = Pattern.compile("'([A-Z_]+)'").matcher(check);
        while (words.find()) {
            listed.add(words.group(1));
        }
        assertThat(listed).containsExactlyInAnyOrderElementsOf(constants);
    }

    @Test
    void lanesAreThoseOfTheModelInItsOrder() {
        assertThat(texts("SELECT name FROM lanes ORDER BY rank"))
                .containsExactlyElementsOf(
                        Arrays.stream(Lane.values()).map(Lane::word).toList());
    }

    private static List<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).toList();
    }

    private static List<String> texts(String query) {
        return database.jdbcClient().sql(query).query(String.class).list();
    }
}
