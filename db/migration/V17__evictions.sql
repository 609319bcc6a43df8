-- For whom a job gives up what it holds. A job that stops for another says which; no eviction without a beneficiary.
ALTER TABLE jobs
    ADD COLUMN stopping_for uuid REFERENCES jobs ON DELETE SET NULL,
    ADD CONSTRAINT only_victims_stop_for_another CHECK (
        stopping_for IS NULL OR (state = 'STOPPING' AND cause IN ('PREEMPTED', 'RECLAIMED'))),
    ADD CONSTRAINT nobody_stops_for_itself CHECK (stopping_for <> id);
CREATE INDEX jobs_stopping_for ON jobs (stopping_for) WHERE stopping_for IS NOT NULL;

-- The same, kept with the run that it ended; the beneficiary may be gone by then.
ALTER TABLE attempts
    ADD COLUMN stopped_for uuid,
    ADD CONSTRAINT only_evicted_runs_stopped_for_another CHECK (
        stopped_for IS NULL OR cause IN ('PREEMPTED', 'RECLAIMED'));
