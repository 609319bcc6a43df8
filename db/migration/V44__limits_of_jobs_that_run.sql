-- How many jobs of a queue and those below it may hold something at once, and how many of them of one user; null: no limit.
ALTER TABLE queues ADD COLUMN max_running_jobs integer CHECK (max_running_jobs >= 0);
ALTER TABLE queues ADD COLUMN user_max_running_jobs integer CHECK (user_max_running_jobs >= 0);

-- Jobs with a living member, of each queue and all below it: a row for each queue, from its beginning. Whoever counts, and
-- whoever changes a limit, locks these rows first. No reference to queues, whose rows are locked by whoever changes them.
CREATE TABLE queue_runs (
    queue_id bigint PRIMARY KEY,
    jobs     integer NOT NULL CONSTRAINT queue_runs_not_negative CHECK (jobs >= 0)
);

-- The same of each user who has some there now.
CREATE TABLE queue_user_runs (
    queue_id  bigint NOT NULL,
    user_name text NOT NULL,
    jobs      integer NOT NULL CONSTRAINT queue_user_runs_not_negative CHECK (jobs >= 0),
    PRIMARY KEY (queue_id, user_name)
);

INSERT INTO queue_runs (queue_id, jobs)
SELECT q.id, count(DISTINCT a.job_id)
FROM queues q
LEFT JOIN queues b ON q.id = ANY (b.lineage)
LEFT JOIN allocations a ON a.queue_id = b.id AND a.released_at IS NULL
GROUP BY q.id;

INSERT INTO queue_user_runs (queue_id, user_name, jobs)
SELECT up.queue_id, j.submitted_by, count(DISTINCT a.job_id)
FROM allocations a JOIN jobs j ON j.id = a.job_id JOIN queues q ON q.id = a.queue_id
CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
WHERE a.released_at IS NULL
GROUP BY up.queue_id, j.submitted_by;

CREATE FUNCTION begin_counting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO queue_runs (queue_id, jobs) VALUES (NEW.id, 0);
    RETURN NULL;
END $$;
CREATE TRIGGER queues_count_runs AFTER INSERT ON queues FOR EACH ROW EXECUTE FUNCTION begin_counting_runs();

-- Nobody starts on the old limit once the new one is in force.
CREATE FUNCTION lock_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM queue_runs WHERE queue_id = NEW.id FOR NO KEY UPDATE;
    RETURN NULL;
END $$;
CREATE TRIGGER queues_lock_runs AFTER UPDATE ON queues FOR EACH ROW
    WHEN ((OLD.max_running_jobs, OLD.user_max_running_jobs)
          IS DISTINCT FROM (NEW.max_running_jobs, NEW.user_max_running_jobs))
    EXECUTE FUNCTION lock_runs();

-- Counts the jobs in, or, for -1, out. Refuses growth beyond a limit; a limit below what runs already is a debt.
CREATE FUNCTION count_runs(leaves bigint[], users text[], more integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bad record;
BEGIN
    IF leaves IS NULL THEN
        RETURN;
    END IF;
    PERFORM 1 FROM queue_runs r
    WHERE r.queue_id IN (SELECT unnest(q.lineage) FROM queues q WHERE q.id = ANY (leaves))
    ORDER BY r.queue_id FOR NO KEY UPDATE;
    UPDATE queue_runs r SET jobs = r.jobs + n.jobs
    FROM (SELECT up.queue_id, more * count(*)::integer AS jobs
          FROM unnest(leaves) AS x (leaf) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
          GROUP BY up.queue_id) n
    WHERE r.queue_id = n.queue_id;
    IF more < 0 THEN
        UPDATE queue_user_runs r SET jobs = r.jobs + n.jobs
        FROM (SELECT up.queue_id, x.user_name, more * count(*)::integer AS jobs
              FROM unnest(leaves, users) AS x (leaf, user_name) JOIN queues q ON q.id = x.leaf
              CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
              GROUP BY up.queue_id, x.user_name) n
        WHERE r.queue_id = n.queue_id AND r.user_name = n.user_name;
        DELETE FROM queue_user_runs r
        USING (SELECT DISTINCT up.queue_id, x.user_name
               FROM unnest(leaves, users) AS x (leaf, user_name) JOIN queues q ON q.id = x.leaf
               CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)) n
        WHERE r.queue_id = n.queue_id AND r.user_name = n.user_name AND r.jobs = 0;
        RETURN;
    END IF;
    INSERT INTO queue_user_runs AS r (queue_id, user_name, jobs)
    SELECT up.queue_id, x.user_name, count(*)::integer
    FROM unnest(leaves, users) AS x (leaf, user_name) JOIN queues q ON q.id = x.leaf
    CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
    GROUP BY up.queue_id, x.user_name
    ON CONFLICT (queue_id, user_name) DO UPDATE SET jobs = r.jobs + excluded.jobs;
    SELECT q.path, q.max_running_jobs AS most, r.jobs INTO bad
    FROM queue_runs r JOIN queues q ON q.id = r.queue_id
    WHERE r.queue_id IN (SELECT unnest(b.lineage) FROM queues b WHERE b.id = ANY (leaves))
      AND r.jobs > q.max_running_jobs
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'queue % would have % running jobs, and may have %', bad.path, bad.jobs, bad.most
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_runs_not_over_limit';
    END IF;
    SELECT q.path, q.user_max_running_jobs AS most, r.jobs INTO bad
    FROM (SELECT DISTINCT up.queue_id, x.user_name
          FROM unnest(leaves, users) AS x (leaf, user_name) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)) n
    JOIN queue_user_runs r ON r.queue_id = n.queue_id AND r.user_name = n.user_name
    JOIN queues q ON q.id = r.queue_id
    WHERE r.jobs > q.user_max_running_jobs
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a user would have % running jobs in queue %, and may have %', bad.jobs, bad.path, bad.most
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_user_runs_not_over_limit';
    END IF;
END $$;

-- A job runs from its first living member on. Its row is locked, so that no two count it, or both leave it to the other.
CREATE FUNCTION hold_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM jobs WHERE id IN (SELECT job_id FROM new_rows) ORDER BY id FOR NO KEY UPDATE;
    PERFORM count_runs(array_agg(n.queue_id), array_agg(j.submitted_by), 1)
    FROM (SELECT job_id, attempt, min(queue_id) AS queue_id, count(*) AS members FROM new_rows
          WHERE released_at IS NULL GROUP BY job_id, attempt) n
    JOIN jobs j ON j.id = n.job_id
    WHERE n.members = (SELECT count(*) FROM allocations a
                       WHERE a.job_id = n.job_id AND a.attempt = n.attempt AND a.released_at IS NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER allocations_hold_runs AFTER INSERT ON allocations
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION hold_runs();

CREATE FUNCTION free_runs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    freed bigint[];
BEGIN
    SELECT array_agg(n.id) INTO freed FROM new_rows n JOIN old_rows o USING (id)
    WHERE o.released_at IS NULL AND n.released_at IS NOT NULL;
    IF freed IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM jobs WHERE id IN (SELECT job_id FROM new_rows WHERE id = ANY (freed)) ORDER BY id FOR NO KEY UPDATE;
    PERFORM count_runs(array_agg(n.queue_id), array_agg(j.submitted_by), -1)
    FROM (SELECT job_id, attempt, min(queue_id) AS queue_id FROM new_rows WHERE id = ANY (freed)
          GROUP BY job_id, attempt) n
    JOIN jobs j ON j.id = n.job_id
    WHERE NOT EXISTS (SELECT 1 FROM allocations a
                      WHERE a.job_id = n.job_id AND a.attempt = n.attempt AND a.released_at IS NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER allocations_free_runs AFTER UPDATE ON allocations
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION free_runs();

ALTER TABLE jobs DROP CONSTRAINT jobs_reason_code_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_reason_code_check CHECK (
    reason_code IN ('MISCONFIGURED', 'NO_MATCHING_FLAVOR', 'EXCEEDS_LIMIT', 'SUSPENDED', 'DEPENDENCY', 'QUEUE_HELD',
                    'LANE_CLOSED', 'RUNNING_JOBS_LIMIT', 'USER_LIMIT', 'WAITING_FOR_QUOTA', 'WAITING_FOR_CAPACITY',
                    'FRAGMENTED', 'TOPOLOGY', 'BANDWIDTH', 'WAITING_FOR_VICTIMS', 'RESERVED_FOR_OTHER', 'LANE_RATE',
                    'BACKING_OFF', 'CLUSTER_UNREACHABLE', 'NOT_YET_EVALUATED'));
