package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.CursorTooOld;
import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.EventQueries.EventView;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlEventQueriesTest extends QueriesContract {

    private EventQueries events;

    @BeforeEach
    void openQueries() {
        events = sql().eventQueries();
    }

    @Test
    void aJobsLifeIsToldInOrder() {
        nodes(1);
        String start = events.newest();
        JobId job = submit(job("job", 1, 1));
        commit(place(job, "n0", 0));
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        List<EventView> told = events.after(start, 500);

        assertThat(told).extracting(EventView::type).containsExactly("job.submitted", "job.state", "job.state");
        assertThat(told).extracting(EventView::subject).containsOnly(job.toString());
        assertThat(told.get(1).data()).contains("\"to\": \"ALLOCATED\"");
        assertThat(told.get(2).data()).contains("\"to\": \"STOPPING\"", "CANCELLED_BY_USER");
        assertThat(events.newest()).isEqualTo(told.get(2).id());
        assertThat(events.after(told.get(2).id(), 500)).isEmpty();
    }

    @Test
    void everyStepOfTheStreamShowsTheSame() {
        for (int i = 0; i < 5; i++) {
            submitAll(List.of(job("a", 1, 1), job("b", 1, 1), job("c", 1, 1)));
        }
        List<EventView> whole = events.after(null, 500);
        List<EventView> stepwise = new ArrayList<>();
        String cursor = null;
        List<EventView> step;
        do {
            step = events.after(cursor, 2);
            stepwise.addAll(step);
            cursor = step.isEmpty() ? cursor : step.get(step.size() - 1).id();
        } while (!step.isEmpty());

        assertThat(stepwise).isEqualTo(whole);
        assertThat(whole)
                .filteredOn(event -> event.type().equals("job.submitted"))
                .hasSize(15);
    }

    @Test
    void anEventOfATransactionThatCommitsLateIsNeverSkipped() throws SQLException {
        String start = events.newest();
        try (Connection early = sql().database().dataSource().getConnection();
                Statement statement = early.createStatement()) {
            early.setAutoCommit(false);
            statement.execute("INSERT INTO events (type, subject, data) VALUES ('early', 'x', '{}')");
            submit(job("late", 1, 1));

            assertThat(events.after(start, 500))
                    .as("what was committed after a transaction that still runs waits for it")
                    .isEmpty();
            assertThat(events.newest()).isEqualTo(start);
            early.commit();
        }
        assertThat(events.after(start, 500)).extracting(EventView::type).containsExactly("early", "job.submitted");
    }

    @Test
    void eventsOfOneJobComeInPages() {
        JobId job = submit(job("job", 1, 1));
        submit(job("other", 1, 1));
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        Page<EventView> first = events.ofJob(job, new PageRequest(1, null));
        Page<EventView> second = events.ofJob(job, new PageRequest(1, first.next()));

        assertThat(first.items()).extracting(EventView::type).containsExactly("job.submitted");
        assertThat(second.items()).extracting(EventView::type).containsExactly("job.state");
        assertThat(second.next()).isNull();
        assertThatThrownBy(() -> events.ofJob(submit(job("x", 1, 1)), new PageRequest(1, first.next())))
                .isInstanceOf(BrokenCursor.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1", "1-", "-1-1", "99999999999999999999-1", "1-1 "})
    void nonsenseIsNoCursor(String cursor) {
        assertThatThrownBy(() -> events.after(cursor, 1)).isInstanceOf(BrokenCursor.class);
    }

    @Test
    void whatIsOlderThanAWeekGoesAndItsCursorIsTooOld() {
        submitAll(List.of(job("a", 1, 1), job("b", 1, 1)));
        List<EventView> old = events.after(null, 500);
        store.advance(Duration.ofDays(8));
        submit(job("c", 1, 1));

        assertThat(sql().retention().prune(1, leader)).isEqualTo(1);
        while (sql().retention().prune(100, leader) > 0) {
            assertThat(events.after(null, 500)).isNotEmpty();
        }

        List<EventView> kept = events.after(null, 500);
        assertThat(kept).extracting(EventView::type).containsExactly("job.submitted");
        assertThatThrownBy(() -> events.after(old.get(0).id(), 500)).isInstanceOf(CursorTooOld.class);
        assertThat(events.after(old.get(old.size() - 1).id(), 500)).isEqualTo(kept);
    }

    @Test
    void retentionForgetsKeysAndReceiptsAfterADay() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        store.jobs().submit(submission("key", "body", List.of(job("k", 1, 1)), new ArrayList<>()));
        commit(place(job, "n0", 0));
        assertThat(sql().retention().prune(100, leader)).isZero();
        store.advance(Duration.ofHours(25));
        assertThat(sql().retention().prune(100, leader)).isEqualTo(2);
    }
}
