-- A suspension is a wish of the job's user, apart from why an attempt ended: it decides where a job goes that is no longer
-- live. An attempt that nothing but a suspension ended has no cause.
ALTER TABLE jobs
    ADD COLUMN suspend boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT suspended_by_its_user CHECK (
        CASE state WHEN 'SUSPENDED' THEN suspend WHEN 'STOPPING' THEN true ELSE NOT suspend END);
