-- The inventory: clusters, nodes, devices. What is held is kept by triggers of V4, never by code.

-- Times as code sees them: microseconds since 1970; now() is the time of the running transaction.
CREATE FUNCTION micros(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE
    AS $$ SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;
CREATE FUNCTION now_micros() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT micros(now()) $$;

-- The head query of a cycle asks "what changed since": each change stamps its transaction.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_xid := pg_current_xact_id();
    RETURN NEW;
END $$;

CREATE TABLE clusters (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL UNIQUE,
    kind         text NOT NULL CHECK (kind IN ('simulated', 'kubernetes')),
    reachable    boolean NOT NULL DEFAULT true,
    last_seen_at timestamptz
);

CREATE TABLE flavors (
    name       text PRIMARY KEY CHECK (name <> ''),
    gpu_model  text NOT NULL,
    memory_mib integer NOT NULL CHECK (memory_mib >= 0)
);

CREATE TABLE nodes (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cluster_id      bigint NOT NULL REFERENCES clusters,
    name            text NOT NULL,
    uid             text NOT NULL,
    boot_id         text NOT NULL,
    flavor          text NOT NULL REFERENCES flavors,
    ready           boolean NOT NULL,
    schedulable     boolean NOT NULL,
    gone            boolean NOT NULL DEFAULT false,
    ready_since     timestamptz,
    rejections      integer NOT NULL DEFAULT 0 CHECK (rejections >= 0),
    closed_until    timestamptz,
    domains         text[] NOT NULL,
    labels          jsonb NOT NULL,
    warnings        text[] NOT NULL DEFAULT '{}',
    cpu_milli       bigint NOT NULL CHECK (cpu_milli >= 0),
    memory_mib      bigint NOT NULL CHECK (memory_mib >= 0),
    pod_slots       integer NOT NULL CHECK (pod_slots >= 0),
    nics            integer NOT NULL CHECK (nics >= 0),
    held_cpu_milli  bigint NOT NULL DEFAULT 0 CHECK (held_cpu_milli >= 0),
    held_memory_mib bigint NOT NULL DEFAULT 0 CHECK (held_memory_mib >= 0),
    held_pods       integer NOT NULL DEFAULT 0 CHECK (held_pods >= 0),
    change_xid      xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (cluster_id, name)
);
CREATE INDEX nodes_changed ON nodes (change_xid);
CREATE INDEX nodes_flavor ON nodes (flavor);
CREATE TRIGGER nodes_stamp BEFORE INSERT OR UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION stamp_change();

-- A device where the placement fixes the device (DRA, simulator: uuid known), a slot where the kubelet picks (uuid null).
CREATE TABLE devices (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node_id    bigint NOT NULL REFERENCES nodes,
    index      integer NOT NULL CHECK (index >= 0),
    uuid       text,
    island     integer NOT NULL CHECK (island >= 0),
    healthy    boolean NOT NULL,
    held_milli integer NOT NULL DEFAULT 0,
    change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (node_id, index),
    -- House rule R2: whatever the code believes, no device is ever given away twice.
    CONSTRAINT device_not_given_twice CHECK (held_milli BETWEEN 0 AND 1000)
);
CREATE INDEX devices_changed ON devices (change_xid);
CREATE TRIGGER devices_stamp BEFORE INSERT OR UPDATE ON devices FOR EACH ROW EXECUTE FUNCTION stamp_change();

-- A device that is removed leaves no row that could tell of it: its node tells.
CREATE FUNCTION stamp_nodes_of_removed_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET gone = gone WHERE id IN (SELECT node_id FROM old_rows);
    RETURN NULL;
END $$;
CREATE TRIGGER devices_remove AFTER DELETE ON devices
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stamp_nodes_of_removed_devices();
