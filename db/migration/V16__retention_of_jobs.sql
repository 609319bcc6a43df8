-- Jobs that have ended, oldest first: they are removed after a time.
CREATE INDEX jobs_ended ON jobs (ended_at, id) WHERE ended_at IS NOT NULL;
