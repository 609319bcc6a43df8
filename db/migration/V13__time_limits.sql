-- How long a job may take. Times are counted here and by this clock alone: what is over is asked, never remembered by a
-- process.
ALTER TABLE jobs
    ADD COLUMN max_runtime_seconds integer CHECK (max_runtime_seconds >= 1),
    ADD COLUMN max_queue_seconds   integer CHECK (max_queue_seconds >= 1),
    ADD COLUMN deadline            timestamptz,
    -- time RUNNING before started_at, and QUEUED before queued_since, that still counts
    ADD COLUMN ran_micros          bigint NOT NULL DEFAULT 0 CHECK (ran_micros >= 0),
    ADD COLUMN queued_micros       bigint NOT NULL DEFAULT 0 CHECK (queued_micros >= 0),
    ADD COLUMN queued_since        timestamptz;
UPDATE jobs SET queued_since = now() WHERE state = 'QUEUED';
ALTER TABLE jobs ADD CONSTRAINT queued_jobs_know_since_when CHECK ((state = 'QUEUED') = (queued_since IS NOT NULL));

CREATE INDEX jobs_run_time ON jobs (started_at) WHERE state = 'RUNNING' AND max_runtime_seconds IS NOT NULL;
CREATE INDEX jobs_queue_time ON jobs (queued_since) WHERE state = 'QUEUED' AND max_queue_seconds IS NOT NULL;
CREATE INDEX jobs_deadline ON jobs (deadline)
    WHERE deadline IS NOT NULL AND state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING');
