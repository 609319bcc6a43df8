-- Queues form a tree; a job counts against its leaf and every queue above it.

CREATE TABLE queues (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    parent_id  bigint REFERENCES queues,
    path       text NOT NULL,
    -- the queue itself and all above it, top first: what an allocation counts against
    lineage    bigint[] NOT NULL DEFAULT '{}',
    held       boolean NOT NULL DEFAULT false,
    version    bigint NOT NULL DEFAULT 0,
    change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- a removed queue stays as a row, because the jobs that were in it stay; its path is free again
    removed_at timestamptz
);
CREATE UNIQUE INDEX queues_path ON queues (path) WHERE removed_at IS NULL;
CREATE INDEX queues_parent ON queues (parent_id);
CREATE INDEX queues_changed ON queues (change_xid);
CREATE TRIGGER queues_stamp BEFORE INSERT OR UPDATE ON queues FOR EACH ROW EXECUTE FUNCTION stamp_change();

CREATE FUNCTION queue_lineage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.lineage := COALESCE((SELECT lineage FROM queues WHERE id = NEW.parent_id), '{}') || NEW.id;
    RETURN NEW;
END $$;
CREATE TRIGGER queues_lineage BEFORE INSERT ON queues FOR EACH ROW EXECUTE FUNCTION queue_lineage();

-- Quota and use per queue and flavor. No quota (null) means: not limited here. Rows appear with the first use.
CREATE TABLE queue_shares (
    queue_id      bigint NOT NULL REFERENCES queues ON DELETE CASCADE,
    flavor        text NOT NULL,
    nominal_milli bigint CHECK (nominal_milli >= 0),
    used_milli    bigint NOT NULL DEFAULT 0 CONSTRAINT queue_use_not_negative CHECK (used_milli >= 0),
    change_xid    xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (queue_id, flavor)
);
CREATE INDEX queue_shares_changed ON queue_shares (change_xid);
CREATE TRIGGER queue_shares_stamp BEFORE INSERT OR UPDATE ON queue_shares
    FOR EACH ROW EXECUTE FUNCTION stamp_change();

CREATE TABLE lanes (
    name        text PRIMARY KEY,
    rank        integer NOT NULL UNIQUE,
    description text NOT NULL
);
INSERT INTO lanes (name, rank, description) VALUES
    ('green', 1, 'Urgent: considered before every other lane.'),
    ('yellow', 2, 'Normal.'),
    ('red', 3, 'Off-peak: considered last, runs on what is idle.');

INSERT INTO queues (path) VALUES ('default');
