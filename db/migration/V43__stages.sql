-- Pod sets that start after others of their job. A member of one is WAITING, and holds what it holds, until it is called;
-- its bind task is due then. What it waits for is kept with it, so that no spec is read to call it.
ALTER TABLE allocations ADD COLUMN start_after jsonb, ADD COLUMN called_at timestamptz;
ALTER TABLE allocations DROP CONSTRAINT allocations_phase_check;
ALTER TABLE allocations ADD CONSTRAINT allocations_phase_check
    CHECK (phase IN ('WAITING', 'COMMITTED', 'BOUND', 'RUNNING', 'LOST', 'SUCCEEDED', 'FAILED', 'GONE'));
ALTER TABLE allocations ADD CONSTRAINT who_waits_knows_for_what CHECK (phase <> 'WAITING' OR start_after IS NOT NULL);
