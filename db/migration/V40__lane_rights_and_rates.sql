-- Whether jobs of a lane make weaker ones leave, and how many of them may start within any minute.
ALTER TABLE lanes ADD COLUMN preempts boolean NOT NULL DEFAULT true;
ALTER TABLE lanes ADD COLUMN starts_per_minute integer CHECK (starts_per_minute BETWEEN 1 AND 10000);
UPDATE lanes SET starts_per_minute = 120 WHERE name = 'red';

-- What started within the last minute is counted with every reading.
CREATE INDEX attempts_by_start ON attempts (allocated_at);

ALTER TABLE jobs DROP CONSTRAINT jobs_reason_code_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_reason_code_check CHECK (
    reason_code IN ('MISCONFIGURED', 'NO_MATCHING_FLAVOR', 'EXCEEDS_LIMIT', 'SUSPENDED', 'DEPENDENCY', 'QUEUE_HELD',
                    'LANE_CLOSED', 'WAITING_FOR_QUOTA', 'WAITING_FOR_CAPACITY', 'FRAGMENTED', 'TOPOLOGY', 'BANDWIDTH',
                    'WAITING_FOR_VICTIMS', 'RESERVED_FOR_OTHER', 'LANE_RATE', 'BACKING_OFF', 'CLUSTER_UNREACHABLE',
                    'NOT_YET_EVALUATED'));
