-- Members that are on their way: few at any time, and asked for again and again until they are bound.
CREATE INDEX allocations_committed ON allocations (allocated_at) WHERE phase = 'COMMITTED';
