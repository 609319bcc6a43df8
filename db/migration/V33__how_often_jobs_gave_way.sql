-- How many runs gave way, for ever: attempts are removed after a while, and a count that fell would say nothing.
CREATE TABLE preemption_counts (
    queue_id bigint NOT NULL REFERENCES queues ON DELETE CASCADE,
    lane     text   NOT NULL REFERENCES lanes,
    cause    text   NOT NULL CHECK (cause IN ('PREEMPTED', 'RECLAIMED')),
    runs     bigint NOT NULL CHECK (runs >= 1),
    PRIMARY KEY (queue_id, lane, cause)
);

INSERT INTO preemption_counts (queue_id, lane, cause, runs)
SELECT j.queue_id, j.lane, t.cause, count(*)
FROM attempts t JOIN jobs j ON j.id = t.job_id
WHERE t.ended_at IS NOT NULL AND t.cause IN ('PREEMPTED', 'RECLAIMED')
GROUP BY j.queue_id, j.lane, t.cause;

-- In the order of the key, so that no two writers wait for each other.
CREATE FUNCTION count_preemptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO preemption_counts AS c (queue_id, lane, cause, runs)
    SELECT j.queue_id, j.lane, n.cause, count(*)
    FROM new_rows n
    JOIN old_rows o ON o.job_id = n.job_id AND o.number = n.number
    JOIN jobs j ON j.id = n.job_id
    WHERE o.ended_at IS NULL AND n.ended_at IS NOT NULL AND n.cause IN ('PREEMPTED', 'RECLAIMED')
    GROUP BY j.queue_id, j.lane, n.cause
    ORDER BY j.queue_id, j.lane, n.cause
    ON CONFLICT (queue_id, lane, cause) DO UPDATE SET runs = c.runs + excluded.runs;
    RETURN NULL;
END $$;
CREATE TRIGGER attempts_count_preemptions AFTER UPDATE ON attempts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_preemptions();
