package dev.tutti.store.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Actor;
import dev.tutti.control.view.LaneRow;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Hours of lanes are kept, told to the decision, and told of in the journal. */
class SqlLaneBookTest {

    private static final Actor.Caller ANNA = new Actor.Caller("anna");
    private static final LaneHours NIGHTS = new LaneHours(
            ZoneId.of("Europe/Zurich"),
            List.of(
                    new LaneHours.Window(Set.of(DayOfWeek.FRIDAY), 20 * 60, 6 * 60),
                    new LaneHours.Window(EnumSet.allOf(DayOfWeek.class), 0, 60)));

    private TestDatabase database;
    private JdbcClient sql;
    private SqlLaneBook book;
    private SqlQueueQueries queries;
    private SqlChangeFeed feed;

    @BeforeEach
    void open() {
        database = TestPostgres.freshDatabase();
        sql = database.jdbcClient();
        SqlTransactions transactions = new SqlTransactions(database.dataSource());
        book = new SqlLaneBook(transactions);
        queries = new SqlQueueQueries(transactions);
        feed = new SqlChangeFeed(transactions, VictimRules.NONE);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void hoursComeBackAsTheyWereGiven() {
        assertThat(book.change(Lane.RED, 0, rules(NIGHTS), ANNA)).isTrue();

        assertThat(queries.lanes().get(2).rules().hours()).isEqualTo(NIGHTS);
        assertThat(queries.lanes().get(2).version()).isEqualTo(1);
        assertThat(queries.lanes().get(0).rules().hours()).isNull();
        assertThat(feed.since(null).lanes()).containsEntry(Lane.RED, new LaneRow(rules(NIGHTS)));
        assertThat(book.change(Lane.RED, 1, rules(null), ANNA)).isTrue();
        assertThat(feed.since(null).lanes()).doesNotContainKey(Lane.RED);
    }

    @Test
    void aStaleChangeChangesNothing() {
        assertThat(book.change(Lane.RED, 0, rules(NIGHTS), ANNA)).isTrue();
        assertThat(book.change(Lane.RED, 0, rules(null), ANNA)).isFalse();

        assertThat(queries.lanes().get(2).rules().hours()).isEqualTo(NIGHTS);
    }

    @Test
    void aChangeIsToldAndKept() {
        book.change(Lane.RED, 0, rules(NIGHTS), ANNA);

        assertThat(texts("SELECT type || ' ' || subject FROM events")).contains("lane.change red");
        assertThat(texts("SELECT actor || ' ' || (before -> 'version') || ' ' || (after -> 'hours' ->> 'timeZone')"
                        + " FROM audit WHERE action = 'lane.change'"))
                .containsExactly("caller/anna 0 Europe/Zurich");
    }

    @Test
    void rightsAndRatesComeBackAsTheyWereGiven() {
        assertThat(queries.lanes().get(2).rules()).isEqualTo(new LaneRules(null, true, 120));
        LaneRules quiet = new LaneRules(NIGHTS, false, 7);

        assertThat(book.change(Lane.GREEN, 0, quiet, ANNA)).isTrue();
        assertThat(queries.lanes().get(0).rules()).isEqualTo(quiet);
        assertThat(feed.since(null).lanes()).containsEntry(Lane.GREEN, new LaneRow(quiet));
        assertThat(texts(
                        "SELECT (before ->> 'preempts') || ' ' || (after ->> 'preempts') || ' ' || (after ->> 'startsPerMinute')"
                                + " FROM audit WHERE action = 'lane.change'"))
                .containsExactly("true false 7");
    }

    @Test
    void fallbackComesBackAsItWasGiven() {
        assertThat(queries.lanes())
                .extracting(lane -> lane.rules().fallbackAfterSeconds())
                .containsExactly(null, 0, 0);
        assertThat(feed.since(null).lanes().get(Lane.GREEN).rules().fallbackAfterSeconds())
                .as("told to the decision")
                .isNull();
        LaneRules patient = new LaneRules(null, true, null, 600);

        assertThat(book.change(Lane.YELLOW, 0, patient, ANNA)).isTrue();
        assertThat(queries.lanes().get(1).rules()).isEqualTo(patient);
        assertThat(feed.since(null).lanes()).containsEntry(Lane.YELLOW, new LaneRow(patient));
        assertThat(texts("SELECT (before ->> 'fallbackAfterSeconds') || ' ' || (after ->> 'fallbackAfterSeconds')"
                        + " FROM audit WHERE action = 'lane.change'"))
                .containsExactly("0 600");
    }

    @Test
    void theDatabaseRefusesAFallbackOfMoreThanAMonth() {
        assertThatThrownBy(() -> sql.sql("UPDATE lanes SET fallback_after_seconds = 2678401")
                        .update())
                .hasMessageContaining("fallback_after_seconds");
    }

    @Test
    void theDatabaseRefusesARateOfNothing() {
        assertThatThrownBy(
                        () -> sql.sql("UPDATE lanes SET starts_per_minute = 0").update())
                .hasMessageContaining("starts_per_minute");
    }

    private static LaneRules rules(@Nullable LaneHours hours) {
        return new LaneRules(hours, true, null);
    }

    private List<String> texts(String query) {
        return sql.sql(query).query(String.class).list();
    }
}
