-- What is planned for later: which waiting job starts when at the latest, and where. A plan for readers and no promise: nothing
-- is allocated by it, and every decision may change it.
CREATE TABLE reservations (
    job_id     uuid PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
    start_at   timestamptz NOT NULL,
    node_ids   bigint[]    NOT NULL CHECK (cardinality(node_ids) > 0),
    gpu_milli  bigint      NOT NULL CHECK (gpu_milli >= 0),
    decided_at timestamptz NOT NULL DEFAULT now()
);
