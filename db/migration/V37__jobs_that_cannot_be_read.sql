-- A waiting job whose stored spec is no job any more ends with a cause of its own, and no other job is stopped by it.
ALTER TABLE jobs DROP CONSTRAINT jobs_cause_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_cause_check
    CHECK (cause IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED', 'MOVED', 'NODE_LOST',
                     'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME', 'MAX_RUNTIME', 'DEADLINE',
                     'DEPENDENCY_FAILED', 'QUEUE_REMOVED', 'UNREADABLE'));
ALTER TABLE attempts DROP CONSTRAINT attempts_cause_check;
ALTER TABLE attempts ADD CONSTRAINT attempts_cause_check
    CHECK (cause IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED', 'MOVED', 'NODE_LOST',
                     'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME', 'MAX_RUNTIME', 'DEADLINE',
                     'DEPENDENCY_FAILED', 'QUEUE_REMOVED', 'UNREADABLE'));
ALTER TABLE allocations DROP CONSTRAINT allocations_cause_check;
ALTER TABLE allocations ADD CONSTRAINT allocations_cause_check
    CHECK (cause IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED', 'MOVED', 'NODE_LOST',
                     'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME', 'MAX_RUNTIME', 'DEADLINE',
                     'DEPENDENCY_FAILED', 'QUEUE_REMOVED', 'UNREADABLE'));
ALTER TABLE allocations DROP CONSTRAINT allocations_leaving_check;
ALTER TABLE allocations ADD CONSTRAINT allocations_leaving_check
    CHECK (leaving IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED', 'MOVED', 'NODE_LOST',
                     'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME', 'MAX_RUNTIME', 'DEADLINE',
                     'DEPENDENCY_FAILED', 'QUEUE_REMOVED', 'UNREADABLE'));

-- What a statement over many jobs takes of a spec: null for all that is no number of 32 bits, where a cast would end the
-- statement for all of them.
CREATE FUNCTION whole_number(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN jsonb_typeof(value) = 'number'
                THEN CASE WHEN value::numeric BETWEEN -2147483648 AND 2147483647 THEN trunc(value::numeric)::bigint END END;
