-- When jobs of a lane may start. No hours: always. The lanes themselves stay three.
ALTER TABLE lanes ADD COLUMN hours jsonb;
ALTER TABLE lanes ADD COLUMN version bigint NOT NULL DEFAULT 0;
