-- RDMA NICs, given to members like devices: counted in groups of NICs that are worth the same.

-- PCIe root, else NUMA node, as the node calls it; empty when unknown.
ALTER TABLE devices ADD COLUMN place text NOT NULL DEFAULT '';

-- Read anew from every cluster, so none is a fit beginning. A group that vanished stays with a count of 0.
ALTER TABLE nodes DROP COLUMN nics;
CREATE TABLE nic_groups (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node_id  bigint NOT NULL REFERENCES nodes,
    resource text NOT NULL CHECK (resource <> ''),
    place    text NOT NULL,
    count    integer NOT NULL CHECK (count >= 0),
    held     integer NOT NULL DEFAULT 0 CHECK (held >= 0),
    UNIQUE (node_id, resource, place)
);

-- What a member held, one id for each NIC, kept after release; the live truth is allocation_nics.
ALTER TABLE allocations ADD COLUMN nic_group_ids bigint[] NOT NULL DEFAULT '{}';

CREATE TABLE allocation_nics (
    allocation_id bigint NOT NULL REFERENCES allocations ON DELETE CASCADE,
    nic_group_id  bigint NOT NULL REFERENCES nic_groups,
    count         integer NOT NULL CHECK (count >= 1),
    PRIMARY KEY (allocation_id, nic_group_id)
);
CREATE INDEX allocation_nics_group ON allocation_nics (nic_group_id);

-- House rule R2 for NICs: no more of a group is given than it has. Growth only, like CPU and memory: a group that shrinks
-- below what is held of it is a debt, shown and paid back as members end. Rows are locked in one order everywhere: jobs,
-- nodes, shares, devices, groups of NICs, each by id. Nodes tell changes of their groups: whoever holds, frees or writes
-- a group writes its node in the same transaction.
CREATE FUNCTION hold_nics() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    bad record;
BEGIN
    PERFORM 1 FROM nic_groups WHERE id IN (SELECT nic_group_id FROM new_rows) ORDER BY id FOR NO KEY UPDATE;
    UPDATE nic_groups g SET held = held + n.count
    FROM (SELECT nic_group_id, sum(count)::integer AS count FROM new_rows GROUP BY nic_group_id) n
    WHERE g.id = n.nic_group_id;
    SELECT g.id, g.node_id, g.resource, g.place, g.count, g.held INTO bad FROM nic_groups g
    WHERE g.id IN (SELECT nic_group_id FROM new_rows) AND g.held > g.count
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'NICs of group % would be given twice: %', bad.id, to_jsonb(bad)
            USING ERRCODE = 'check_violation', CONSTRAINT = 'nic_not_given_twice';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER nics_hold AFTER INSERT ON allocation_nics
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION hold_nics();

CREATE FUNCTION free_nics() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM nic_groups WHERE id IN (SELECT nic_group_id FROM old_rows) ORDER BY id FOR NO KEY UPDATE;
    UPDATE nic_groups g SET held = held - o.count
    FROM (SELECT nic_group_id, sum(count)::integer AS count FROM old_rows GROUP BY nic_group_id) o
    WHERE g.id = o.nic_group_id;
    RETURN NULL;
END $$;
CREATE TRIGGER nics_free AFTER DELETE ON allocation_nics
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION free_nics();

CREATE TRIGGER allocation_nics_fixed BEFORE UPDATE ON allocation_nics
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();

-- Runs after allocations_free, because triggers of one event run in the order of their names: groups of NICs come last.
CREATE FUNCTION free_nics_of_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM allocation_nics WHERE allocation_id IN (
        SELECT n.id FROM new_rows n JOIN old_rows o USING (id)
        WHERE o.released_at IS NULL AND n.released_at IS NOT NULL AND n.nic_group_ids <> '{}');
    RETURN NULL;
END $$;
CREATE TRIGGER allocations_free_nics AFTER UPDATE ON allocations
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION free_nics_of_released();
