-- Why a member was asked to leave while the others of its job run on; it holds what it holds until its end is confirmed.
ALTER TABLE allocations ADD COLUMN leaving text
    CHECK (leaving IN ('COMPLETED', 'EXIT_CODE', 'CANCELLED_BY_USER', 'PREEMPTED', 'RECLAIMED', 'MOVED', 'NODE_LOST',
                       'DEVICE_LOST', 'REJECTED_BY_NODE', 'NOT_READY_IN_TIME', 'MAX_RUNTIME', 'DEADLINE',
                       'DEPENDENCY_FAILED', 'QUEUE_REMOVED'));
