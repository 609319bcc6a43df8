-- Members that are bound and do not run yet: few at any time, and asked for again and again until they run.
CREATE INDEX allocations_bound ON allocations (job_id) WHERE phase = 'BOUND' AND leaving IS NULL;
