-- What a queue held on average lately, in parts of a million millionths of all there is; long ago counts less. One row for each
-- queue that has a past. The leader brings all of them up to date in one statement, so they are counted until the same time.
CREATE TABLE queue_pasts (
    queue_id      bigint PRIMARY KEY REFERENCES queues ON DELETE CASCADE,
    -- what green and yellow jobs held above the quota, and what red jobs held
    surplus       bigint NOT NULL CHECK (surplus BETWEEN 0 AND 1000000000000),
    red           bigint NOT NULL CHECK (red BETWEEN 0 AND 1000000000000),
    counted_until timestamptz NOT NULL,
    change_xid    xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX queue_pasts_changed ON queue_pasts (change_xid);
CREATE TRIGGER queue_pasts_stamp BEFORE INSERT OR UPDATE ON queue_pasts FOR EACH ROW EXECUTE FUNCTION stamp_change();
