package dev.tutti.store.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
        assertThat(book.change(Lane.RED, 0, NIGHTS, ANNA)).isTrue();

        assertThat(queries.lanes().get(2).hours()).isEqualTo(NIGHTS);
        assertThat(queries.lanes().get(2).version()).isEqualTo(1);
        assertThat(queries.lanes().get(0).hours()).isNull();
        assertThat(feed.since(null).hours()).containsOnlyKeys(Lane.RED).containsValue(NIGHTS);
        assertThat(book.change(Lane.RED, 1, null, ANNA)).isTrue();
        assertThat(feed.since(null).hours()).isEmpty();
    }

    @Test
    void aStaleChangeChangesNothing() {
        assertThat(book.change(Lane.RED, 0, NIGHTS, ANNA)).isTrue();
        assertThat(book.change(Lane.RED, 0, null, ANNA)).isFalse();

        assertThat(queries.lanes().get(2).hours()).isEqualTo(NIGHTS);
    }

    @Test
    void aChangeIsToldAndKept() {
        book.change(Lane.RED, 0, NIGHTS, ANNA);

        assertThat(texts("SELECT type || ' ' || subject FROM events")).contains("lane.change red");
        assertThat(texts("SELECT actor || ' ' || (before -> 'version') || ' ' || (after -> 'hours' ->> 'timeZone')"
                        + " FROM audit WHERE action = 'lane.change'"))
                .containsExactly("caller/anna 0 Europe/Zurich");
    }

    private List<String> texts(String query) {
        return sql.sql(query).query(String.class).list();
    }
}
