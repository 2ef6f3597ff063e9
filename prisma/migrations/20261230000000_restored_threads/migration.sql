-- A backup of a thread is restored with everything that happened to it. Receivers of events are told that the thread is
-- there, and not again what happened long ago: the statements that put the older rows in set `spillway.restoring` to the
-- id of the thread, for their transaction alone. The audit log leaves these rows out only where the same transaction
-- recorded that the thread was restored.
CREATE FUNCTION spillway_skip_restored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'events' THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM audit_log a WHERE a.project_id = NEW.project_id
      AND a.target COLLATE "C" = current_setting('spillway.restoring', true)
      AND a.action = 'thread.restored' AND a.xmin = pg_current_xact_id()::xid) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "skip_restored" BEFORE INSERT ON "events" FOR EACH ROW
  WHEN (coalesce(current_setting('spillway.restoring', true), '') <> '') EXECUTE FUNCTION spillway_skip_restored();
CREATE TRIGGER "skip_restored" BEFORE INSERT ON "audit_log" FOR EACH ROW
  WHEN (coalesce(current_setting('spillway.restoring', true), '') <> '') EXECUTE FUNCTION spillway_skip_restored();
