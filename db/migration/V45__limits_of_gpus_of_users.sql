-- How much of GPUs, in milli-GPU, the jobs of one user may hold in a queue and those below it at once; null: no limit.
ALTER TABLE queues ADD COLUMN user_max_gpu_milli bigint CHECK (user_max_gpu_milli >= 0);

-- What they hold now, of all flavors together, beside the number of those jobs.
ALTER TABLE queue_user_runs ADD COLUMN gpu_milli bigint NOT NULL DEFAULT 0
    CONSTRAINT queue_user_gpus_not_negative CHECK (gpu_milli >= 0);

UPDATE queue_user_runs r SET gpu_milli = n.milli
FROM (SELECT up.queue_id, j.submitted_by, sum(a.gpu_milli) AS milli
      FROM allocations a JOIN jobs j ON j.id = a.job_id JOIN queues q ON q.id = a.queue_id
      CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
      WHERE a.released_at IS NULL
      GROUP BY up.queue_id, j.submitted_by) n
WHERE r.queue_id = n.queue_id AND r.user_name = n.submitted_by;

DROP TRIGGER queues_lock_runs ON queues;
CREATE TRIGGER queues_lock_runs AFTER UPDATE ON queues FOR EACH ROW
    WHEN ((OLD.max_running_jobs, OLD.user_max_running_jobs, OLD.user_max_gpu_milli)
          IS DISTINCT FROM (NEW.max_running_jobs, NEW.user_max_running_jobs, NEW.user_max_gpu_milli))
    EXECUTE FUNCTION lock_runs();

DROP FUNCTION count_runs(bigint[], text[], integer);

-- Counts in what jobs take, or, below 0, out what they give back: of each its leaf, its user, 1 when it begins or ends to
-- hold anything, and its GPUs. Refuses growth beyond a limit; a limit below what runs already is a debt.
CREATE FUNCTION count_runs(leaves bigint[], users text[], runs integer[], milli bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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
    FROM (SELECT up.queue_id, sum(x.jobs)::integer AS jobs
          FROM unnest(leaves, runs) AS x (leaf, jobs) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
          GROUP BY up.queue_id) n
    WHERE r.queue_id = n.queue_id AND n.jobs <> 0;
    UPDATE queue_user_runs r SET jobs = r.jobs + n.jobs, gpu_milli = r.gpu_milli + n.milli
    FROM (SELECT up.queue_id, x.user_name, sum(x.jobs)::integer AS jobs, sum(x.milli) AS milli
          FROM unnest(leaves, users, runs, milli) AS x (leaf, user_name, jobs, milli) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
          GROUP BY up.queue_id, x.user_name) n
    WHERE r.queue_id = n.queue_id AND r.user_name = n.user_name;
    INSERT INTO queue_user_runs AS r (queue_id, user_name, jobs, gpu_milli)
    SELECT up.queue_id, x.user_name, sum(x.jobs)::integer, sum(x.milli)
    FROM unnest(leaves, users, runs, milli) AS x (leaf, user_name, jobs, milli) JOIN queues q ON q.id = x.leaf
    CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
    WHERE NOT EXISTS (SELECT 1 FROM queue_user_runs u WHERE u.queue_id = up.queue_id AND u.user_name = x.user_name)
    GROUP BY up.queue_id, x.user_name;
    DELETE FROM queue_user_runs r
    USING (SELECT DISTINCT up.queue_id, x.user_name
           FROM unnest(leaves, users, runs) AS x (leaf, user_name, jobs) JOIN queues q ON q.id = x.leaf
           CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id) WHERE x.jobs < 0) n
    WHERE r.queue_id = n.queue_id AND r.user_name = n.user_name AND r.jobs = 0;
    SELECT q.path, q.max_running_jobs AS most, r.jobs INTO bad
    FROM (SELECT DISTINCT up.queue_id
          FROM unnest(leaves, runs) AS x (leaf, jobs) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id) WHERE x.jobs > 0) n
    JOIN queue_runs r ON r.queue_id = n.queue_id
    JOIN queues q ON q.id = r.queue_id
    WHERE r.jobs > q.max_running_jobs
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'queue % would have % running jobs, and may have %', bad.path, bad.jobs, bad.most
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_runs_not_over_limit';
    END IF;
    SELECT q.path, q.user_max_running_jobs AS most, r.jobs, q.user_max_gpu_milli AS most_milli, r.gpu_milli,
           n.jobs > 0 AND r.jobs > q.user_max_running_jobs AS of_jobs INTO bad
    FROM (SELECT up.queue_id, x.user_name, max(x.jobs) AS jobs, max(x.milli) AS milli
          FROM unnest(leaves, users, runs, milli) AS x (leaf, user_name, jobs, milli) JOIN queues q ON q.id = x.leaf
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
          GROUP BY up.queue_id, x.user_name) n
    JOIN queue_user_runs r ON r.queue_id = n.queue_id AND r.user_name = n.user_name
    JOIN queues q ON q.id = r.queue_id
    WHERE n.jobs > 0 AND r.jobs > q.user_max_running_jobs OR n.milli > 0 AND r.gpu_milli > q.user_max_gpu_milli
    LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF bad.of_jobs THEN
        RAISE EXCEPTION 'a user would have % running jobs in queue %, and may have %', bad.jobs, bad.path, bad.most
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_user_runs_not_over_limit';
    END IF;
    RAISE EXCEPTION 'a user would hold % milli-GPU in queue %, and may hold %', bad.gpu_milli, bad.path, bad.most_milli
        USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_user_gpus_not_over_limit';
END $$;

-- A job runs from its first living member on. Its row is locked, so that no two count it, or both leave it to the other.
CREATE OR REPLACE FUNCTION hold_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM jobs WHERE id IN (SELECT job_id FROM new_rows) ORDER BY id FOR NO KEY UPDATE;
    PERFORM count_runs(array_agg(n.queue_id), array_agg(j.submitted_by), array_agg(n.runs), array_agg(n.milli))
    FROM (SELECT m.*, (m.members = (SELECT count(*) FROM allocations a
                                    WHERE a.job_id = m.job_id AND a.attempt = m.attempt
                                      AND a.released_at IS NULL))::integer AS runs
          FROM (SELECT job_id, attempt, min(queue_id) AS queue_id, count(*) AS members, sum(gpu_milli)::bigint AS milli
                FROM new_rows WHERE released_at IS NULL GROUP BY job_id, attempt) m) n
    JOIN jobs j ON j.id = n.job_id
    WHERE n.runs > 0 OR n.milli > 0;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION free_runs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    freed bigint[];
BEGIN
    SELECT array_agg(n.id) INTO freed FROM new_rows n JOIN old_rows o USING (id)
    WHERE o.released_at IS NULL AND n.released_at IS NOT NULL;
    IF freed IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM jobs WHERE id IN (SELECT job_id FROM new_rows WHERE id = ANY (freed)) ORDER BY id FOR NO KEY UPDATE;
    PERFORM count_runs(array_agg(n.queue_id), array_agg(j.submitted_by), array_agg(n.runs), array_agg(n.milli))
    FROM (SELECT m.*, -(NOT EXISTS (SELECT 1 FROM allocations a
                                    WHERE a.job_id = m.job_id AND a.attempt = m.attempt
                                      AND a.released_at IS NULL))::integer AS runs
          FROM (SELECT job_id, attempt, min(queue_id) AS queue_id, -sum(gpu_milli)::bigint AS milli
                FROM new_rows WHERE id = ANY (freed) GROUP BY job_id, attempt) m) n
    JOIN jobs j ON j.id = n.job_id
    WHERE n.runs < 0 OR n.milli < 0;
    RETURN NULL;
END $$;
