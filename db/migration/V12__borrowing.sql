-- Quota is policy, use is fact, and a claim is what the one makes of the other: three tables for what was one.

CREATE TABLE queue_quotas (
    queue_id        bigint NOT NULL REFERENCES queues ON DELETE CASCADE,
    flavor          text NOT NULL,
    resource        text NOT NULL CHECK (resource IN ('gpuMilli', 'cpuMilli', 'memoryMib')),
    -- what the queue and all below it can always get back
    nominal         bigint NOT NULL CHECK (nominal >= 0),
    -- how far above it they may go, and how much of it others may take; null: without limit
    borrowing_limit bigint CHECK (borrowing_limit >= 0),
    lending_limit   bigint CHECK (lending_limit >= 0),
    PRIMARY KEY (queue_id, flavor, resource)
);

-- What living members hold, in each queue together with all below it. Rows appear with the first use.
CREATE TABLE queue_use (
    queue_id   bigint NOT NULL REFERENCES queues ON DELETE CASCADE,
    flavor     text NOT NULL,
    lane       text NOT NULL REFERENCES lanes,
    gpu_milli  bigint NOT NULL DEFAULT 0,
    cpu_milli  bigint NOT NULL DEFAULT 0,
    memory_mib bigint NOT NULL DEFAULT 0,
    change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (queue_id, flavor, lane),
    CONSTRAINT queue_use_not_negative CHECK (gpu_milli >= 0 AND cpu_milli >= 0 AND memory_mib >= 0)
);
CREATE INDEX queue_use_changed ON queue_use (change_xid);
CREATE TRIGGER queue_use_stamp BEFORE INSERT OR UPDATE ON queue_use FOR EACH ROW EXECUTE FUNCTION stamp_change();

-- A row for each queue and resource of a flavor that is bound by some quota: its own, one above it, or, for a queue
-- without one, those below it. Queue 0 is the pool above all queues. A queue without a row is not limited.
CREATE TABLE queue_claims (
    queue_id  bigint NOT NULL,
    flavor    text NOT NULL,
    resource  text NOT NULL,
    -- 0 for the queues at the top, null for the pool
    parent_id bigint,
    depth     integer NOT NULL,
    -- its nominal quota, or the sum of those below it; null: nothing of its own
    quota     bigint,
    -- the most it may claim: nominal and what it may borrow; null: as much as is lent to it
    ceiling   bigint,
    -- what it does not lend, and so always claims of the queue above it
    kept      bigint NOT NULL,
    -- what green and yellow jobs hold; above a leaf the sum of what each queue below claims, and at least keeps
    claim     bigint NOT NULL,
    -- what green jobs hold; above a leaf the sum of what each queue below was promised, or holds without a promise
    green     bigint NOT NULL,
    PRIMARY KEY (queue_id, flavor, resource)
);
CREATE INDEX queue_claims_parent ON queue_claims (parent_id, flavor, resource);

-- The lane an attempt started in: a job that changes its lane later is counted out where it was counted in.
ALTER TABLE allocations ADD COLUMN lane text REFERENCES lanes;
UPDATE allocations a SET lane = j.lane FROM jobs j WHERE j.id = a.job_id;
ALTER TABLE allocations ALTER COLUMN lane SET NOT NULL;

INSERT INTO queue_quotas (queue_id, flavor, resource, nominal)
SELECT queue_id, flavor, 'gpuMilli', nominal_milli FROM queue_shares WHERE nominal_milli IS NOT NULL;

INSERT INTO queue_use (queue_id, flavor, lane, gpu_milli, cpu_milli, memory_mib)
SELECT up.queue_id, a.flavor, a.lane, sum(a.gpu_milli), sum(a.cpu_milli), sum(a.memory_mib)
FROM allocations a JOIN queues q ON q.id = a.queue_id CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
WHERE a.released_at IS NULL
GROUP BY up.queue_id, a.flavor, a.lane;

-- Works out the claims of these flavors anew. For changes of queues and quotas, which are rare: nobody else writes
-- claims meanwhile.
CREATE FUNCTION settle_claims(of_flavors text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE queue_claims IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM queue_claims WHERE flavor = ANY (of_flavors);
    INSERT INTO queue_claims (queue_id, flavor, resource, parent_id, depth, quota, ceiling, kept, claim, green)
    WITH living AS (
        SELECT id, COALESCE(parent_id, 0) AS parent_id, lineage, cardinality(lineage) AS depth
        FROM queues WHERE removed_at IS NULL
    ), own AS MATERIALIZED (
        SELECT s.*, q.lineage, q.depth FROM queue_quotas s JOIN living q ON q.id = s.queue_id
        WHERE s.flavor = ANY (of_flavors)
    ), below AS (
        SELECT o.*, COALESCE((SELECT max(a.depth) FROM own a
                              WHERE a.flavor = o.flavor AND a.resource = o.resource
                                AND a.depth < o.depth AND a.queue_id = o.lineage[a.depth]), 0) AS next_above
        FROM own o
    ), quota AS (
        -- a quota counts for its queue, and for all above it up to the next queue that has its own
        SELECT up.queue_id, b.flavor, b.resource, sum(b.nominal)::bigint AS quota
        FROM below b CROSS JOIN LATERAL (
            SELECT u.id AS queue_id FROM unnest(b.lineage) WITH ORDINALITY AS u (id, at) WHERE u.at > b.next_above
            UNION ALL SELECT 0 WHERE b.next_above = 0) up
        GROUP BY up.queue_id, b.flavor, b.resource
    ), used AS (
        SELECT u.queue_id, u.flavor, r.resource, sum(r.amount)::bigint AS claim,
               COALESCE(sum(r.amount) FILTER (WHERE u.lane = 'green'), 0)::bigint AS green
        FROM queue_use u CROSS JOIN LATERAL (VALUES ('gpuMilli', u.gpu_milli), ('cpuMilli', u.cpu_milli),
                                                    ('memoryMib', u.memory_mib)) AS r (resource, amount)
        WHERE u.lane <> 'red'
        GROUP BY u.queue_id, u.flavor, r.resource
    ), bound AS (
        SELECT DISTINCT q.id, q.parent_id, q.depth, s.flavor, s.resource
        FROM quota s JOIN living q ON s.queue_id = ANY (q.lineage)
        UNION ALL
        SELECT 0, NULL, 0, flavor, resource FROM quota WHERE queue_id = 0
    )
    SELECT b.id, b.flavor, b.resource, b.parent_id, b.depth, s.quota,
           CASE WHEN b.id = 0 THEN s.quota ELSE o.nominal + o.borrowing_limit END,
           GREATEST(0, COALESCE(o.nominal - o.lending_limit, 0)),
           COALESCE(u.claim, 0), COALESCE(u.green, 0)
    FROM bound b
    LEFT JOIN quota s ON s.queue_id = b.id AND s.flavor = b.flavor AND s.resource = b.resource
    LEFT JOIN own o ON o.queue_id = b.id AND o.flavor = b.flavor AND o.resource = b.resource
    LEFT JOIN used u ON u.queue_id = b.id AND u.flavor = b.flavor AND u.resource = b.resource;

    FOR above IN REVERSE COALESCE((SELECT max(depth) FROM queue_claims), 0) - 1 .. 0 LOOP
        UPDATE queue_claims p SET claim = c.claim, green = c.green
        FROM (SELECT parent_id, flavor, resource, sum(GREATEST(claim, kept)) AS claim,
                     sum(GREATEST(green, COALESCE(quota, 0))) AS green
              FROM queue_claims WHERE depth = above + 1 AND flavor = ANY (of_flavors)
              GROUP BY parent_id, flavor, resource) c
        WHERE p.queue_id = c.parent_id AND p.flavor = c.flavor AND p.resource = c.resource;
    END LOOP;
END $$;

SELECT settle_claims(ARRAY(SELECT DISTINCT flavor FROM queue_quotas));

-- Adds amounts (or, below 0, takes them off) to what leaves claim, and to all above them. Refuses growth beyond what a
-- queue may claim; a quota that shrank below what is in use is a debt, paid back as members end. The pool is locked
-- first, so that two writers never wait for each other further down.
CREATE FUNCTION claim_use(leaves bigint[], flavors text[], lanes text[], gpus bigint[], cpus bigint[], memories bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bad          jsonb;
    at_queues    bigint[];
    of_flavors   text[];
    of_resources text[];
    more_claims  bigint[];
    more_greens  bigint[];
BEGIN
    SELECT array_agg(d.leaf), array_agg(d.flavor), array_agg(d.resource), array_agg(d.claim), array_agg(d.green)
    INTO at_queues, of_flavors, of_resources, more_claims, more_greens
    FROM (SELECT x.leaf, x.flavor, r.resource, sum(r.amount)::bigint AS claim,
                 COALESCE(sum(r.amount) FILTER (WHERE x.lane = 'green'), 0)::bigint AS green
          FROM unnest(leaves, flavors, lanes, gpus, cpus, memories) AS x (leaf, flavor, lane, gpu, cpu, memory)
          CROSS JOIN LATERAL (VALUES ('gpuMilli', x.gpu), ('cpuMilli', x.cpu), ('memoryMib', x.memory))
              AS r (resource, amount)
          JOIN (SELECT p.flavor, p.resource FROM queue_claims p WHERE p.queue_id = 0 AND p.flavor = ANY (flavors)
                ORDER BY p.flavor, p.resource FOR NO KEY UPDATE) pool
            ON pool.flavor = x.flavor AND pool.resource = r.resource
          WHERE x.lane <> 'red' AND r.amount <> 0
          GROUP BY x.leaf, x.flavor, r.resource) d;
    IF at_queues IS NULL THEN
        RETURN;
    END IF;
    SELECT to_jsonb(x) INTO bad
    FROM unnest(at_queues, of_flavors, of_resources, more_greens) AS x (queue_id, flavor, resource, green)
    WHERE x.green > 0 AND NOT EXISTS (SELECT 1 FROM queue_claims c WHERE c.queue_id = x.queue_id
                                      AND c.flavor = x.flavor AND c.resource = x.resource)
    LIMIT 1;
    FOR level IN REVERSE (SELECT max(depth) FROM queue_claims) .. 0 LOOP
        EXIT WHEN bad IS NOT NULL OR at_queues IS NULL;
        WITH delta AS (
            SELECT * FROM unnest(at_queues, of_flavors, of_resources, more_claims, more_greens)
                AS x (queue_id, flavor, resource, claim, green)
        ), changed AS (
            UPDATE queue_claims c SET claim = c.claim + x.claim, green = c.green + x.green
            FROM delta x
            WHERE c.queue_id = x.queue_id AND c.flavor = x.flavor AND c.resource = x.resource AND c.depth = level
            RETURNING c.queue_id, c.flavor, c.resource, c.parent_id, c.quota, c.ceiling, c.kept, c.claim, c.green,
                      x.claim AS more_claim, x.green AS more_green
        ), above AS (
            SELECT queue_id, flavor, resource, sum(claim)::bigint AS claim, sum(green)::bigint AS green
            FROM (SELECT x.* FROM delta x
                  WHERE NOT EXISTS (SELECT 1 FROM changed c WHERE c.queue_id = x.queue_id AND c.flavor = x.flavor
                                    AND c.resource = x.resource)
                  UNION ALL
                  SELECT parent_id, c.flavor, resource,
                         GREATEST(c.claim, kept) - GREATEST(c.claim - more_claim, kept),
                         GREATEST(c.green, COALESCE(quota, 0)) - GREATEST(c.green - more_green, COALESCE(quota, 0))
                  FROM changed c WHERE parent_id IS NOT NULL) n
            GROUP BY queue_id, flavor, resource
        )
        SELECT (SELECT to_jsonb(c) FROM changed c
                WHERE more_claim > 0 AND c.claim > ceiling OR more_green > 0 AND c.green > quota LIMIT 1),
               array_agg(n.queue_id), array_agg(n.flavor), array_agg(n.resource), array_agg(n.claim), array_agg(n.green)
        INTO bad, at_queues, of_flavors, of_resources, more_claims, more_greens
        FROM above n;
    END LOOP;
    IF bad IS NOT NULL THEN
        RAISE EXCEPTION 'queue % would be over its quota: %', bad ->> 'queue_id', bad
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_not_over_quota';
    END IF;
END $$;

-- As before, but for the queues.
CREATE OR REPLACE FUNCTION hold_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    bad record;
BEGIN
    PERFORM 1 FROM nodes WHERE id IN (SELECT node_id FROM new_rows) ORDER BY id FOR NO KEY UPDATE;
    UPDATE nodes d SET held_cpu_milli = held_cpu_milli + n.cpu, held_memory_mib = held_memory_mib + n.memory,
                       held_pods = held_pods + n.pods
    FROM (SELECT node_id, sum(cpu_milli) AS cpu, sum(memory_mib) AS memory, count(*)::integer AS pods
          FROM new_rows GROUP BY node_id) n
    WHERE d.id = n.node_id;
    SELECT d.name, d.held_cpu_milli, d.cpu_milli, d.held_memory_mib, d.memory_mib, d.held_pods, d.pod_slots INTO bad
    FROM nodes d JOIN (SELECT node_id, sum(cpu_milli) AS cpu, sum(memory_mib) AS memory
                       FROM new_rows GROUP BY node_id) n ON d.id = n.node_id
    WHERE (n.cpu > 0 AND d.held_cpu_milli > d.cpu_milli) OR (n.memory > 0 AND d.held_memory_mib > d.memory_mib)
       OR d.held_pods > d.pod_slots
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'node % would be overfull: %', bad.name, to_jsonb(bad)
            USING ERRCODE = 'check_violation', CONSTRAINT = 'node_not_overfull';
    END IF;

    INSERT INTO queue_use AS u (queue_id, flavor, lane, gpu_milli, cpu_milli, memory_mib)
    SELECT up.queue_id, n.flavor, n.lane, sum(n.gpu_milli), sum(n.cpu_milli), sum(n.memory_mib)
    FROM new_rows n JOIN queues q ON q.id = n.queue_id CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
    GROUP BY up.queue_id, n.flavor, n.lane
    ORDER BY up.queue_id, n.flavor, n.lane
    ON CONFLICT (queue_id, flavor, lane) DO UPDATE SET
        gpu_milli = u.gpu_milli + excluded.gpu_milli, cpu_milli = u.cpu_milli + excluded.cpu_milli,
        memory_mib = u.memory_mib + excluded.memory_mib;
    PERFORM claim_use(array_agg(queue_id), array_agg(flavor), array_agg(lane), array_agg(gpu), array_agg(cpu),
                      array_agg(memory))
    FROM (SELECT queue_id, flavor, lane, sum(gpu_milli)::bigint AS gpu, sum(cpu_milli)::bigint AS cpu,
                 sum(memory_mib)::bigint AS memory
          FROM new_rows GROUP BY queue_id, flavor, lane) n;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION free_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    freed bigint[];
BEGIN
    IF EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o USING (id)
               WHERE o.released_at IS NOT NULL AND n.released_at IS DISTINCT FROM o.released_at) THEN
        RAISE EXCEPTION 'a released allocation never comes back';
    END IF;
    SELECT array_agg(n.id) INTO freed FROM new_rows n JOIN old_rows o USING (id)
    WHERE o.released_at IS NULL AND n.released_at IS NOT NULL;
    IF freed IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM nodes WHERE id IN (SELECT node_id FROM new_rows WHERE id = ANY (freed)) ORDER BY id
        FOR NO KEY UPDATE;
    UPDATE nodes d SET held_cpu_milli = held_cpu_milli - f.cpu, held_memory_mib = held_memory_mib - f.memory,
                       held_pods = held_pods - f.pods
    FROM (SELECT node_id, sum(cpu_milli) AS cpu, sum(memory_mib) AS memory, count(*)::integer AS pods
          FROM new_rows WHERE id = ANY (freed) GROUP BY node_id) f
    WHERE d.id = f.node_id;
    PERFORM 1 FROM queue_use u
    WHERE EXISTS (SELECT 1 FROM new_rows n JOIN queues q ON q.id = n.queue_id
                  WHERE n.id = ANY (freed) AND n.flavor = u.flavor AND n.lane = u.lane
                    AND u.queue_id = ANY (q.lineage))
    ORDER BY u.queue_id, u.flavor, u.lane FOR NO KEY UPDATE;
    UPDATE queue_use u SET gpu_milli = u.gpu_milli - f.gpu, cpu_milli = u.cpu_milli - f.cpu,
                           memory_mib = u.memory_mib - f.memory
    FROM (SELECT up.queue_id, n.flavor, n.lane, sum(n.gpu_milli) AS gpu, sum(n.cpu_milli) AS cpu,
                 sum(n.memory_mib) AS memory
          FROM new_rows n JOIN queues q ON q.id = n.queue_id
          CROSS JOIN LATERAL unnest(q.lineage) AS up (queue_id)
          WHERE n.id = ANY (freed)
          GROUP BY up.queue_id, n.flavor, n.lane) f
    WHERE u.queue_id = f.queue_id AND u.flavor = f.flavor AND u.lane = f.lane
      AND (f.gpu > 0 OR f.cpu > 0 OR f.memory > 0);
    PERFORM claim_use(array_agg(queue_id), array_agg(flavor), array_agg(lane), array_agg(gpu), array_agg(cpu),
                      array_agg(memory))
    FROM (SELECT queue_id, flavor, lane, -sum(gpu_milli)::bigint AS gpu, -sum(cpu_milli)::bigint AS cpu,
                 -sum(memory_mib)::bigint AS memory
          FROM new_rows WHERE id = ANY (freed) GROUP BY queue_id, flavor, lane) n;
    DELETE FROM allocation_devices WHERE allocation_id = ANY (freed);
    RETURN NULL;
END $$;

DROP TABLE queue_shares;
