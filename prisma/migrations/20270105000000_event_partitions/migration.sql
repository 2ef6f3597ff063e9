-- Events are kept for seven days. Deleting a day of them row by row costs more than all that was written to record them,
-- and leaves dead rows to vacuum. So the table is partitioned by day, and a day that is over is dropped as a whole.
--
-- The rows that are there stay where they are: their table becomes the first partition. The migration before built the
-- index that this takes. Appends wait while the rows are read once, for a check of their times.
SELECT set_config('spillway.project', '*', true);
-- A long reader of events, such as a dump, makes this migration fail, and not the appends that would queue behind it.
SET LOCAL lock_timeout = '3s';
LOCK TABLE "events" IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER "skip_restored" ON "events";
ALTER TABLE "events" RENAME TO "events_before";
ALTER TABLE "events_before" DROP CONSTRAINT "events_pkey";
ALTER INDEX "events_project_id_thread_uid_id_idx" RENAME TO "events_before_thread_idx";
REVOKE ALL ON "events_before" FROM spillway_app;

CREATE TABLE "events" (LIKE "events_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("at");
ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("project_id","xid","id","at");
CREATE INDEX "events_project_id_thread_uid_id_idx" ON "events"("project_id", "thread_uid", "id");
ALTER SEQUENCE "events_id_seq" OWNED BY "events"."id";
GRANT SELECT, INSERT, DELETE ON "events" TO spillway_app;
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "events" FORCE ROW LEVEL SECURITY;
-- Of a single row that is written, without the subqueries that a scan evaluates once for all of its rows.
CREATE POLICY "own_project" ON "events" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()))
  WITH CHECK (project_id = spillway_project() OR spillway_is_service());
CREATE TRIGGER "skip_restored" BEFORE INSERT ON "events" FOR EACH ROW
  WHEN (coalesce(current_setting('spillway.restoring', true), '') <> '') EXECUTE FUNCTION spillway_skip_restored();

-- As before, with the newest epoch looked up in place, which costs an append less than a call of spillway_event_base().
CREATE OR REPLACE FUNCTION spillway_tell_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (project_id, xid, thread_uid, type, data)
  VALUES (NEW.project_id, (SELECT max(epoch)::bigint << 40 FROM event_epochs) + pg_current_xact_id()::text::bigint, NEW.uid,
    'message.recorded', format('{"from_seq":%s,"to_seq":%s,"live_tokens":%s}',
      CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE OLD.next_seq END, NEW.next_seq - 1, NEW.live_tokens));
  RETURN NULL;
END $$;

-- A worker of the version before removes events by the place (ctid) of old ones, which is unique within a partition and
-- not among all of them. Whatever it names, what is new stays.
CREATE FUNCTION spillway_keep_new_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER "keep_new" BEFORE DELETE ON "events" FOR EACH ROW
  WHEN (OLD.at >= now() - interval '7 days') EXECUTE FUNCTION spillway_keep_new_event();

-- Adds a partition; the default one without a range. The app reads and writes through "events" alone: it has no rights on
-- a partition, and row-level security binds whoever is given some.
CREATE FUNCTION spillway_add_event_partition(name text, since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Made first and attached then: CREATE TABLE ... PARTITION OF would hold up appends.
  EXECUTE format('CREATE TABLE public.%I (LIKE public.events INCLUDING DEFAULTS INCLUDING INDEXES)', name);
  EXECUTE format('REVOKE ALL ON public.%I FROM PUBLIC, spillway_app', name);
  EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY "own_project" ON public.%I USING (project_id = (SELECT public.spillway_project())
    OR (SELECT public.spillway_is_service()))', name);
  EXECUTE format('ALTER TABLE public.events ATTACH PARTITION public.%I %s', name,
    CASE WHEN until IS NULL THEN 'DEFAULT' ELSE format('FOR VALUES FROM (%L) TO (%L)', since, until) END);
END $$;

-- Adds the partition of a day, in UTC. False when there is one, and when it cannot be added now: a reader holds a lock, or
-- the default partition has events of that day.
CREATE FUNCTION spillway_add_event_day(day date) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := 'events_' || to_char(day, 'YYYYMMDD');
  since timestamptz := day::timestamp AT TIME ZONE 'UTC';
  until timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass('public.' || name) IS NOT NULL OR EXISTS (SELECT FROM events_other o WHERE o.at >= since AND o.at < until) THEN
    RETURN false;
  END IF;
  PERFORM spillway_add_event_partition(name, since, until);
  RETURN true;
EXCEPTION WHEN lock_not_available OR check_violation THEN
  RETURN false;
END $$;

-- Keeps seven days of events: removes old ones from the default partition, at most 5,000, adds the partitions of the next
-- two days, and drops those of which every event is old. A worker calls it in each sweep. Changes of tables need their
-- owner, so it runs as the owner; it takes no argument, so its callers decide nothing. A lock that it does not get within
-- a tenth of a second is left to the next call, because appends queue behind it.
CREATE FUNCTION spillway_keep_events(OUT added int, OUT dropped int, OUT deleted int) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET lock_timeout = '100ms' AS $$
DECLARE
  caller text := coalesce(current_setting('spillway.project', true), '');
  oldest_kept timestamptz := now() - interval '7 days';
  old_partition name;
BEGIN
  added := 0;
  dropped := 0;
  deleted := 0;
  -- One worker at a time.
  IF NOT pg_try_advisory_xact_lock(hashtext('spillway_keep_events')) THEN
    RETURN;
  END IF;
  -- Row-level security binds the owner too. Not by SET of the function, which takes a superuser.
  PERFORM set_config('spillway.project', '*', true);
  DELETE FROM events_other WHERE ctid = ANY(ARRAY(
    SELECT o.ctid FROM events_other o WHERE o.at < oldest_kept ORDER BY o.at LIMIT 5000));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  FOR n IN 1..2 LOOP
    added := added + spillway_add_event_day((now() AT TIME ZONE 'UTC')::date + n)::int;
  END LOOP;
  -- At the end, because the lock of a drop holds up appends until the transaction ends.
  FOR old_partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.events'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM $q$ TO \('([^']+)'\)$q$)::timestamptz <= oldest_kept
    ORDER BY 1
  LOOP
    BEGIN
      EXECUTE format('DROP TABLE public.%I', old_partition);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN
      EXIT;
    END;
  END LOOP;
  PERFORM set_config('spillway.project', caller, true);
END $$;
REVOKE ALL ON FUNCTION spillway_add_event_partition(text, timestamptz, timestamptz), spillway_add_event_day(date),
  spillway_keep_events() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spillway_keep_events() TO spillway_app;

-- What no partition was added for, because no worker ran for days, goes to the default one.
SELECT spillway_add_event_partition('events_other', NULL, NULL);
CREATE INDEX "events_other_at_idx" ON "events_other"("at");

DO $$
DECLARE
  tomorrow date := (clock_timestamp() AT TIME ZONE 'UTC')::date + 1;
  until timestamptz := tomorrow::timestamp AT TIME ZONE 'UTC';
  attach text := format('ALTER TABLE events ATTACH PARTITION events_before FOR VALUES FROM (MINVALUE) TO (%L)', until);
BEGIN
  IF NOT EXISTS (SELECT FROM events_before) THEN
    DROP TABLE events_before;
    PERFORM spillway_add_event_day(tomorrow - 1);
  ELSE
    IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'events_by_time'::regclass) THEN
      DROP INDEX events_by_time;
      CREATE UNIQUE INDEX events_by_time ON events_before (project_id, xid, id, at);
    END IF;
    ALTER TABLE events_before ADD CONSTRAINT events_before_pkey PRIMARY KEY USING INDEX events_by_time;
    BEGIN
      EXECUTE attach;
    EXCEPTION WHEN check_violation THEN
      -- Events with a time to come, from before a clock was set back.
      WITH ahead AS (DELETE FROM events_before WHERE at >= until RETURNING *) INSERT INTO events SELECT * FROM ahead;
      EXECUTE attach;
    END;
  END IF;
  PERFORM spillway_add_event_day(tomorrow + n) FROM generate_series(0, 1) n;
END $$;
