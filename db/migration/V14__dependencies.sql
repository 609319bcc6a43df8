-- Which jobs wait for which others to succeed. A row is there for as long as it matters: the end of the parent writes how it
-- ended, in the transaction of that end; then the child ends too, or the row goes. Who adds a child locks its parents FOR
-- SHARE first, so that either the end sees the row or the row is written with the end.
CREATE TABLE job_parents (
    child_id  uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    parent_id uuid NOT NULL REFERENCES jobs,
    outcome   text CHECK (outcome IN ('WELL', 'BADLY')),
    PRIMARY KEY (child_id, parent_id),
    CONSTRAINT nobody_waits_for_itself CHECK (child_id <> parent_id)
);
CREATE INDEX job_parents_parent ON job_parents (parent_id);
CREATE INDEX job_parents_ended ON job_parents (outcome, child_id) WHERE outcome IS NOT NULL;

-- Whether a row in job_parents keeps it from being considered.
ALTER TABLE jobs ADD COLUMN waits_for_parents boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT only_waiting_jobs_wait_for_parents CHECK (
        NOT waits_for_parents OR state NOT IN ('ALLOCATED', 'RUNNING', 'STOPPING', 'SUCCEEDED'));
