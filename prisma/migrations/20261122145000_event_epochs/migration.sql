-- CreateTable
CREATE TABLE "event_epochs" (
    "epoch" INTEGER NOT NULL,
    "system_identifier" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_epochs_pkey" PRIMARY KEY ("epoch")
);


GRANT SELECT ON "event_epochs" TO spillway_app;
ALTER TABLE "event_epochs" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "event_epochs" FORCE ROW LEVEL SECURITY;
CREATE POLICY "everyone" ON "event_epochs" USING (true);

-- A database that was restored from a dump before this migration has events that lie ahead of its transactions.
INSERT INTO "event_epochs" (epoch, system_identifier)
SELECT CASE WHEN greatest((SELECT max(xid) FROM events), (SELECT max(after_xid) FROM webhooks))
    > pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN 1 ELSE 0 END, system_identifier::text
FROM pg_control_system();

-- A cluster counts its transactions from the start, so a database that was restored into a new cluster would number
-- new events lower than old ones. Each cluster that the database lived in has an epoch, and an event is numbered by
-- the epoch first: 2^40 transactions to an epoch.
CREATE FUNCTION spillway_event_base() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT max(epoch)::bigint << 40 FROM event_epochs
$$;

CREATE OR REPLACE FUNCTION spillway_tell(project uuid, thread uuid, type text, data text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (project_id, xid, thread_uid, type, data)
  VALUES (project, spillway_event_base() + pg_current_xact_id()::text::bigint, thread, type, data)
$$;

CREATE OR REPLACE FUNCTION spillway_tell_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (project_id, xid, thread_uid, type, data)
  VALUES (NEW.project_id, spillway_event_base() + pg_current_xact_id()::text::bigint, NEW.uid, 'message.recorded',
    format('{"from_seq":%s,"to_seq":%s,"live_tokens":%s}', CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE OLD.next_seq END,
      NEW.next_seq - 1, NEW.live_tokens));
  RETURN NULL;
END $$;
