-- How jobs of a queue get their turn.
ALTER TABLE queues ADD COLUMN strict boolean NOT NULL DEFAULT false;
ALTER TABLE queues ADD COLUMN fair_share_weight integer NOT NULL DEFAULT 1 CHECK (fair_share_weight BETWEEN 1 AND 1000);
