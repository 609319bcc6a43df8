-- MIG instances: a run of memory units of one GPU, eight units to a GPU. House rule R2 again: whatever the code
-- believes, no unit is given away twice, and a GPU serves MIG instances or whole pods and shares, never both.

ALTER TABLE devices
    -- how it can be cut; null where it cannot
    ADD COLUMN mig_layout     text CHECK (mig_layout <> ''),
    -- the part of held_milli that MIG instances hold, and their units as bits
    ADD COLUMN held_mig_milli integer NOT NULL DEFAULT 0,
    ADD COLUMN held_units     integer NOT NULL DEFAULT 0 CHECK (held_units BETWEEN 0 AND 255),
    ADD CONSTRAINT device_in_one_mode CHECK (held_mig_milli = 0 OR held_mig_milli = held_milli),
    ADD CONSTRAINT units_are_what_is_held CHECK (held_mig_milli = 125 * bit_count(held_units::bit(8)));

-- What a member held, kept after release.
ALTER TABLE allocations
    ADD COLUMN mig_profile text CHECK (mig_profile <> ''),
    ADD COLUMN mig_start   integer,
    ADD COLUMN mig_units   integer,
    ADD CONSTRAINT an_instance_is_on_one_device CHECK (
        num_nulls(mig_profile, mig_start, mig_units) = 3
        OR (num_nulls(mig_profile, mig_start, mig_units) = 0 AND cardinality(device_ids) = 1
            AND device_milli = 125 * mig_units));

-- The live truth: the units of all devices in one line, eight to a device.
ALTER TABLE allocation_devices
    ADD COLUMN mig_start integer CHECK (mig_start >= 0),
    ADD COLUMN mig_units integer CHECK (mig_units >= 1),
    ADD COLUMN place     int8range GENERATED ALWAYS AS (
        int8range(device_id * 8 + mig_start, device_id * 8 + mig_start + mig_units)) STORED,
    ADD CONSTRAINT an_instance_is_within_its_device CHECK (
        (mig_start IS NULL) = (mig_units IS NULL)
        AND (mig_start IS NULL OR (mig_start + mig_units <= 8 AND milli = 125 * mig_units))),
    ADD CONSTRAINT unit_not_given_twice EXCLUDE USING gist (place WITH &&) WHERE (mig_start IS NOT NULL);

CREATE OR REPLACE FUNCTION hold_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM devices WHERE id IN (SELECT device_id FROM new_rows) ORDER BY id FOR NO KEY UPDATE;
    UPDATE devices d SET held_milli = held_milli + n.milli, held_mig_milli = held_mig_milli + n.mig_milli,
                         held_units = held_units | n.units
    FROM (SELECT device_id, sum(milli)::integer AS milli,
                 COALESCE(sum(milli) FILTER (WHERE mig_start IS NOT NULL), 0)::integer AS mig_milli,
                 COALESCE(bit_or(((1 << mig_units) - 1) << mig_start), 0) AS units
          FROM new_rows GROUP BY device_id) n
    WHERE d.id = n.device_id;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION free_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM devices WHERE id IN (SELECT device_id FROM old_rows) ORDER BY id FOR NO KEY UPDATE;
    UPDATE devices d SET held_milli = held_milli - o.milli, held_mig_milli = held_mig_milli - o.mig_milli,
                         held_units = held_units & ~o.units
    FROM (SELECT device_id, sum(milli)::integer AS milli,
                 COALESCE(sum(milli) FILTER (WHERE mig_start IS NOT NULL), 0)::integer AS mig_milli,
                 COALESCE(bit_or(((1 << mig_units) - 1) << mig_start), 0) AS units
          FROM old_rows GROUP BY device_id) o
    WHERE d.id = o.device_id;
    RETURN NULL;
END $$;
