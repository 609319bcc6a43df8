-- Jobs: a narrow row that changes often, and the spec apart from it, which never does.

CREATE TABLE jobs (
    id            uuid PRIMARY KEY,
    version       bigint NOT NULL DEFAULT 0,
    queue_id      bigint NOT NULL REFERENCES queues,
    lane          text NOT NULL REFERENCES lanes,
    priority      integer NOT NULL,
    name          text NOT NULL,
    state         text NOT NULL CHECK (state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING', 'STOPPING',
                                                 'SUCCEEDED', 'CANCELLED', 'TIMED_OUT', 'FAILED')),
    cause         text CHECK (cause IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED',
                                        'MOVED', 'NODE_LOST', 'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME',
                                        'MAX_RUNTIME', 'DEADLINE', 'DEPENDENCY_FAILED', 'QUEUE_REMOVED')),
    reason_code   text CHECK (reason_code IN ('MISCONFIGURED', 'NO_MATCHING_FLAVOR', 'EXCEEDS_LIMIT', 'SUSPENDED',
                                              'DEPENDENCY', 'QUEUE_HELD', 'LANE_CLOSED', 'WAITING_FOR_QUOTA',
                                              'WAITING_FOR_CAPACITY', 'FRAGMENTED', 'TOPOLOGY', 'BANDWIDTH',
                                              'WAITING_FOR_VICTIMS', 'RESERVED_FOR_OTHER', 'BACKING_OFF',
                                              'CLUSTER_UNREACHABLE', 'NOT_YET_EVALUATED')),
    reason        jsonb,
    reason_since  timestamptz,
    attempt       integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    failures      integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    max_failures  integer NOT NULL,
    not_before    timestamptz,
    back_offs     integer NOT NULL DEFAULT 0,
    submitted_by  text NOT NULL,
    submitted_at  timestamptz NOT NULL,
    allocated_at  timestamptz,
    started_at    timestamptz,
    ended_at      timestamptz,
    change_xid    xid8 NOT NULL DEFAULT pg_current_xact_id(),
    CONSTRAINT final_jobs_have_ended CHECK ((ended_at IS NOT NULL)
        = (state IN ('SUCCEEDED', 'CANCELLED', 'TIMED_OUT', 'FAILED'))),
    CONSTRAINT waiting_jobs_have_a_reason CHECK ((state IN ('QUEUED', 'SUSPENDED')) = (reason_code IS NOT NULL))
) WITH (fillfactor = 75);
CREATE INDEX jobs_changed ON jobs (change_xid);
CREATE INDEX jobs_order ON jobs (submitted_at, id);
CREATE INDEX jobs_queue_order ON jobs (queue_id, submitted_at, id);
CREATE INDEX jobs_state_order ON jobs (state, submitted_at, id);
CREATE INDEX jobs_open ON jobs (queue_id, state, lane, priority)
    WHERE state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING', 'STOPPING');
CREATE TRIGGER jobs_stamp BEFORE INSERT OR UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION stamp_change();

-- House rule R8: the state machine is dev.tutti.model.JobLife; this is its mirror, and a test compares the two.
CREATE TABLE job_state_changes (
    from_state text NOT NULL,
    to_state   text NOT NULL,
    PRIMARY KEY (from_state, to_state)
);
INSERT INTO job_state_changes (from_state, to_state) VALUES
    ('QUEUED', 'ALLOCATED'), ('QUEUED', 'SUSPENDED'), ('QUEUED', 'CANCELLED'), ('QUEUED', 'TIMED_OUT'),
    ('QUEUED', 'FAILED'), ('SUSPENDED', 'QUEUED'), ('SUSPENDED', 'CANCELLED'), ('SUSPENDED', 'TIMED_OUT'),
    ('SUSPENDED', 'FAILED'), ('ALLOCATED', 'RUNNING'), ('ALLOCATED', 'STOPPING'), ('RUNNING', 'STOPPING'),
    ('RUNNING', 'SUCCEEDED'), ('STOPPING', 'QUEUED'), ('STOPPING', 'SUSPENDED'), ('STOPPING', 'CANCELLED'),
    ('STOPPING', 'TIMED_OUT'), ('STOPPING', 'FAILED');

CREATE FUNCTION refuse_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM job_state_changes WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'job % may not go from % to %', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'job_state_may_change_so';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jobs_state BEFORE UPDATE ON jobs
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION refuse_state_change();

CREATE TABLE job_specs (
    job_id uuid PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
    spec   jsonb NOT NULL
);
CREATE INDEX job_specs_labels ON job_specs USING gin ((spec -> 'labels') jsonb_path_ops);

CREATE TABLE idempotency_keys (
    caller     text NOT NULL,
    key        text NOT NULL,
    body_hash  text NOT NULL,
    answer     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
