-- A job that waits or is over holds nothing: neither an attempt that goes on nor a member whose end is not confirmed. Else it
-- would keep others out and nobody would look after what it holds. Looked at when the transaction ends, in which
-- the last member is released and the job moves on, in whichever order.
CREATE FUNCTION refuse_to_hold_while_not_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM jobs j
               WHERE j.id = NEW.id AND j.state NOT IN ('ALLOCATED', 'RUNNING', 'STOPPING')
                 AND (EXISTS (SELECT 1 FROM allocations a WHERE a.job_id = j.id AND a.released_at IS NULL)
                      OR EXISTS (SELECT 1 FROM attempts t WHERE t.job_id = j.id AND t.ended_at IS NULL))) THEN
        RAISE EXCEPTION 'job % is % and holds something', NEW.id, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'who_waits_or_is_over_holds_nothing';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER jobs_hold_nothing AFTER UPDATE ON jobs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.state NOT IN ('ALLOCATED', 'RUNNING', 'STOPPING'))
    EXECUTE FUNCTION refuse_to_hold_while_not_live();

CREATE FUNCTION refuse_attempt_of_job_not_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM attempts t JOIN jobs j ON j.id = t.job_id
               WHERE t.job_id = NEW.job_id AND t.number = NEW.number AND t.ended_at IS NULL
                 AND j.state NOT IN ('ALLOCATED', 'RUNNING', 'STOPPING')) THEN
        RAISE EXCEPTION 'job % has an attempt and is not live', NEW.job_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'only_live_jobs_have_an_attempt';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER attempts_of_live_jobs AFTER INSERT ON attempts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_attempt_of_job_not_live();
