-- How long jobs waited for their first start, for ever: jobs and attempts are removed after a while. Bounds are in seconds; the
-- last one stands for all that is longer.
CREATE TABLE job_wait_bounds (
    at_most_seconds bigint PRIMARY KEY
);
INSERT INTO job_wait_bounds (at_most_seconds) VALUES
    (1), (5), (15), (60), (300), (900), (3600), (14400), (43200), (86400), (604800), (9223372036854775807);

CREATE TABLE job_wait_counts (
    queue_id        bigint NOT NULL REFERENCES queues ON DELETE CASCADE,
    lane            text   NOT NULL REFERENCES lanes,
    at_most_seconds bigint NOT NULL REFERENCES job_wait_bounds,
    jobs            bigint NOT NULL CHECK (jobs >= 1),
    micros          bigint NOT NULL CHECK (micros >= 0),
    PRIMARY KEY (queue_id, lane, at_most_seconds)
);

INSERT INTO job_wait_counts (queue_id, lane, at_most_seconds, jobs, micros)
SELECT w.queue_id, w.lane, w.bound, count(*), sum(w.waited)
FROM (SELECT j.queue_id, j.lane, t.waited,
             (SELECT min(b.at_most_seconds) FROM job_wait_bounds b WHERE t.waited <= b.at_most_seconds::numeric * 1000000) AS bound
      FROM attempts a JOIN jobs j ON j.id = a.job_id
      CROSS JOIN LATERAL (SELECT GREATEST(micros(a.allocated_at) - micros(j.submitted_at), 0) AS waited) t
      WHERE a.number = 1) w
GROUP BY w.queue_id, w.lane, w.bound;

-- In the order of the key, so that no two writers wait for each other.
CREATE FUNCTION count_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_wait_counts AS c (queue_id, lane, at_most_seconds, jobs, micros)
    SELECT w.queue_id, w.lane, w.bound, count(*), sum(w.waited)
    FROM (SELECT j.queue_id, j.lane, t.waited,
                 (SELECT min(b.at_most_seconds) FROM job_wait_bounds b
                  WHERE t.waited <= b.at_most_seconds::numeric * 1000000) AS bound
          FROM new_rows n JOIN jobs j ON j.id = n.job_id
          CROSS JOIN LATERAL (SELECT GREATEST(micros(n.allocated_at) - micros(j.submitted_at), 0) AS waited) t
          WHERE n.number = 1) w
    GROUP BY w.queue_id, w.lane, w.bound
    ORDER BY w.queue_id, w.lane, w.bound
    ON CONFLICT (queue_id, lane, at_most_seconds)
        DO UPDATE SET jobs = c.jobs + excluded.jobs, micros = c.micros + excluded.micros;
    RETURN NULL;
END $$;
CREATE TRIGGER attempts_count_waits AFTER INSERT ON attempts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_waits();
