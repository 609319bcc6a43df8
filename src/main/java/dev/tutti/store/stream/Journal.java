package dev.tutti.store.stream;

import dev.tutti.control.Actor;
import dev.tutti.store.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Events and audit rows of one transaction, collected and then written by one statement. Whoever changes a row writes
 * them in the same transaction; what is worth telling is the writer's to decide.
 */
public final class Journal {

    private static final String WRITE = """
            WITH told AS (
                INSERT INTO events (type, subject, data)
                SELECT type, subject, data::jsonb
                FROM unnest(:types::text[], :subjects::text[], :data::text[]) WITH ORDINALITY
                    AS e (type, subject, data, place)
                ORDER BY place)
            INSERT INTO audit (actor, action, subject, before, after)
            SELECT actor, action, subject, before::jsonb, after::jsonb
            FROM unnest(:actors::text[], :actions::text[], :audited::text[], :befores::text[], :afters::text[])
                WITH ORDINALITY AS a (actor, action, subject, before, after, place)
            ORDER BY place""";

    private final List<Event> events = new ArrayList<>();
    private final List<Audit> audits = new ArrayList<>();

    /**
     * Tells an event.
     *
     * @param type such as {@code job.state}
     * @param subject id of what it is about
     */
    public void event(String type, String subject, Map<String, ?> data) {
        events.add(new Event(type, subject, Json.write(data)));
    }

    /** Keeps who did what; {@code before} and {@code after} are null where there is nothing. */
    public void audit(
            Actor actor,
            String action,
            String subject,
            @Nullable Map<String, ?> before,
            @Nullable Map<String, ?> after) {
        audits.add(new Audit(name(actor), action, subject, json(before), json(after)));
    }

    /** Writes all of it; without anything to write it asks the database nothing. */
    public void write(JdbcClient sql) {
        if (events.isEmpty() && audits.isEmpty()) {
            return;
        }
        sql.sql(WRITE)
                .param("types", texts(events.stream().map(Event::type).toList()))
                .param("subjects", texts(events.stream().map(Event::subject).toList()))
                .param("data", texts(events.stream().map(Event::data).toList()))
                .param("actors", texts(audits.stream().map(Audit::actor).toList()))
                .param("actions", texts(audits.stream().map(Audit::action).toList()))
                .param("audited", texts(audits.stream().map(Audit::subject).toList()))
                .param("befores", audits.stream().map(Audit::before).toArray(String[]::new))
                .param("afters", audits.stream().map(Audit::after).toArray(String[]::new))
                .update();
    }

    private static String name(Actor actor) {
        return actor instanceof Actor.Caller caller
                ? "caller/" + caller.name()
                : "leader/" + ((Actor.Leader) actor).term();
    }

    private static @Nullable String json(@Nullable Map<String, ?> value) {
        return value == null ? null : Json.write(value);
    }

    private static String[] texts(List<String> values) {
        return values.toArray(String[]::new);
    }

    private record Event(String type, String subject, String data) {}

    private record Audit(
            String actor,
            String action,
            String subject,
            @Nullable String before,
            @Nullable String after) {}
}
