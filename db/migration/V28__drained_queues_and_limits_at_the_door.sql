-- A queue that drains takes no more jobs; what waits in it and what runs goes on.
ALTER TABLE queues ADD COLUMN draining boolean NOT NULL DEFAULT false;

-- How many jobs may wait in the queue and those below it, and how many of them of one user; null: no limit. Held by the
-- transaction that stores jobs, which locks the rows of the queues that have such a limit.
ALTER TABLE queues ADD COLUMN max_waiting_jobs integer CHECK (max_waiting_jobs >= 0);
ALTER TABLE queues ADD COLUMN user_max_waiting_jobs integer CHECK (user_max_waiting_jobs >= 0);
