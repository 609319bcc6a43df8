-- Who leads. The term row is read FOR SHARE by every write made as leader; the heartbeat is apart, so that renewing
-- the lease never waits for a writer.
CREATE TABLE leadership (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    term   bigint NOT NULL,
    holder text NOT NULL
);
CREATE TABLE leader_heartbeat (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    term       bigint NOT NULL,
    expires_at timestamptz NOT NULL
);
INSERT INTO leadership (term, holder) VALUES (0, '');
INSERT INTO leader_heartbeat (term, expires_at) VALUES (0, '-infinity');

-- The event stream, read in commit order: (xid, id) below pg_snapshot_xmin.
CREATE TABLE events (
    id      bigint GENERATED ALWAYS AS IDENTITY,
    xid     xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at      timestamptz NOT NULL DEFAULT now(),
    type    text NOT NULL,
    subject text NOT NULL,
    data    jsonb NOT NULL,
    PRIMARY KEY (xid, id)
);
-- The newest event that is no longer kept.
CREATE TABLE events_removed (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    xid xid8 NOT NULL,
    id  bigint NOT NULL
);
INSERT INTO events_removed (xid, id) VALUES ('0', 0);
CREATE INDEX events_subject ON events (subject, xid, id);
CREATE INDEX events_age ON events (at);

-- Who decided what. Written in the transaction of the change itself.
CREATE TABLE audit (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    actor   text NOT NULL,
    action  text NOT NULL,
    subject text NOT NULL,
    before  jsonb,
    after   jsonb
);
CREATE INDEX audit_subject ON audit (subject, id);

-- Who may call. Only the hash of a key is kept.
CREATE TABLE api_keys (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256     text NOT NULL UNIQUE CHECK (length(sha256) = 64),
    name       text NOT NULL UNIQUE,
    role       text NOT NULL CHECK (role IN ('VIEWER', 'SUBMITTER', 'OPERATOR', 'ADMIN')),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    version    bigint NOT NULL DEFAULT 0
);
