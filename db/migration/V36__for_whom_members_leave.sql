-- For whom a member was asked to leave while the others of its job run on; the beneficiary may be gone by then. With this and
-- attempts.stopped_for a new leader knows who was asked for whom, and asks nobody twice for the same job.
ALTER TABLE allocations
    ADD COLUMN leaving_for uuid,
    ADD CONSTRAINT only_evicted_members_leave_for_another CHECK (
        leaving_for IS NULL OR (leaving IN ('PREEMPTED', 'RECLAIMED') AND leaving_for <> job_id));
CREATE INDEX allocations_leaving_for ON allocations (job_id) WHERE leaving_for IS NOT NULL;
CREATE INDEX attempts_stopped_for ON attempts (job_id) WHERE stopped_for IS NOT NULL;
