-- Jobs of a removed queue are listed by its path, which the unique index of living queues does not know.
CREATE INDEX queues_any_path ON queues (path);
