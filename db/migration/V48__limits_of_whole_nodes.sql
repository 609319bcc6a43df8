-- How many whole nodes of each flavor the jobs of a queue and of those below it may hold at once: numbers by flavor.
ALTER TABLE queues ADD COLUMN max_whole_nodes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(max_whole_nodes) = 'object');

-- The most GPUs that one node of a flavor ever had. A pod that holds as many holds a whole node.
ALTER TABLE flavors ADD COLUMN most_gpus integer NOT NULL DEFAULT 0 CHECK (most_gpus >= 0);

CREATE FUNCTION measure_flavors(of_nodes bigint[]) RETURNS void LANGUAGE sql AS $$
    UPDATE flavors f SET most_gpus = n.gpus
    FROM (SELECT flavor, max(gpus) AS gpus
          FROM (SELECT n.flavor, count(*)::integer AS gpus FROM nodes n JOIN devices d ON d.node_id = n.id
                WHERE n.id = ANY (of_nodes) GROUP BY n.id) each
          GROUP BY flavor) n
    WHERE f.name = n.flavor AND f.most_gpus < n.gpus
$$;

SELECT measure_flavors(array_agg(id)) FROM nodes;

CREATE FUNCTION measure_new_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM measure_flavors((SELECT array_agg(DISTINCT node_id) FROM new_rows));
    RETURN NULL;
END $$;
CREATE TRIGGER devices_measure AFTER INSERT ON devices
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_new_devices();

CREATE FUNCTION measure_new_flavor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM measure_flavors(ARRAY[NEW.id]);
    RETURN NULL;
END $$;
CREATE TRIGGER nodes_measure AFTER UPDATE ON nodes FOR EACH ROW
    WHEN (OLD.flavor IS DISTINCT FROM NEW.flavor) EXECUTE FUNCTION measure_new_flavor();

-- Members that are there, by what each holds of GPUs.
CREATE INDEX allocations_by_size ON allocations (queue_id, flavor, gpu_milli) WHERE released_at IS NULL AND gpu_milli > 0;

-- Whole nodes of a flavor that the jobs of a queue and of those below it hold.
CREATE FUNCTION whole_nodes(of_queue bigint, of_flavor text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT count(*)
    FROM flavors f JOIN allocations a ON a.flavor = f.name AND a.released_at IS NULL AND a.gpu_milli > 0
         AND a.gpu_milli >= f.most_gpus * 1000::bigint
    WHERE f.name = of_flavor AND a.queue_id IN (SELECT q.id FROM queues q WHERE of_queue = ANY (q.lineage))
$$;

DROP TRIGGER queues_lock_runs ON queues;
CREATE TRIGGER queues_lock_runs AFTER UPDATE ON queues FOR EACH ROW
    WHEN ((OLD.max_running_jobs, OLD.user_max_running_jobs, OLD.user_max_gpu_milli, OLD.max_whole_nodes)
          IS DISTINCT FROM (NEW.max_running_jobs, NEW.user_max_running_jobs, NEW.user_max_gpu_milli, NEW.max_whole_nodes))
    EXECUTE FUNCTION lock_runs();

-- Refuses growth beyond a limit of whole nodes. After allocations_hold_runs, by name: that one has locked the queues' rows.
CREATE FUNCTION hold_whole_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    bad record;
BEGIN
    SELECT l.path, l.flavor, l.most, whole_nodes(l.id, l.flavor) AS nodes INTO bad
    FROM (SELECT DISTINCT up.id, up.path, n.flavor, (up.max_whole_nodes ->> n.flavor)::bigint AS most
          FROM new_rows n JOIN flavors f ON f.name = n.flavor AND n.gpu_milli > 0
               AND n.gpu_milli >= f.most_gpus * 1000::bigint
          JOIN queues q ON q.id = n.queue_id JOIN queues up ON up.id = ANY (q.lineage)
          WHERE n.released_at IS NULL AND up.max_whole_nodes ? n.flavor) l
    WHERE whole_nodes(l.id, l.flavor) > l.most
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'queue % would hold % whole nodes of %, and may hold %', bad.path, bad.nodes, bad.flavor, bad.most
            USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_whole_nodes_not_over_limit';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER allocations_hold_whole_nodes AFTER INSERT ON allocations
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION hold_whole_nodes();

ALTER TABLE jobs DROP CONSTRAINT jobs_reason_code_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_reason_code_check CHECK (
    reason_code IN ('MISCONFIGURED', 'NO_MATCHING_FLAVOR', 'EXCEEDS_LIMIT', 'SUSPENDED', 'DEPENDENCY', 'QUEUE_HELD',
                    'LANE_CLOSED', 'RUNNING_JOBS_LIMIT', 'USER_LIMIT', 'WHOLE_NODES_LIMIT', 'WAITING_FOR_QUOTA',
                    'WAITING_FOR_CAPACITY', 'FRAGMENTED', 'TOPOLOGY', 'BANDWIDTH', 'WAITING_FOR_VICTIMS',
                    'RESERVED_FOR_OTHER', 'LANE_RATE', 'BACKING_OFF', 'CLUSTER_UNREACHABLE', 'NOT_YET_EVALUATED'));
