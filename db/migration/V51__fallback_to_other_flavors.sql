-- How long a job waits before it may use one more of the flavors that it names: at once as ever, but in the green lane never.
ALTER TABLE lanes ADD COLUMN fallback_after_seconds integer DEFAULT 0
    CHECK (fallback_after_seconds BETWEEN 0 AND 2678400);
UPDATE lanes SET fallback_after_seconds = NULL WHERE name = 'green';

-- Of the time QUEUED that counts, what a job spent waiting for the jobs it depends on: then no flavor was tried.
ALTER TABLE jobs ADD COLUMN parents_micros bigint NOT NULL DEFAULT 0 CHECK (parents_micros >= 0);
