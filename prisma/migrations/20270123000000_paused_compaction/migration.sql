-- Since when the operator lets no worker compact threads of the project; null while workers do. And when that last
-- ended: a thread that was due meanwhile could not be claimed before.
ALTER TABLE "projects" ADD COLUMN     "compaction_paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "compaction_resumed_at" TIMESTAMPTZ(3);
CREATE TRIGGER "audit_project_compaction_paused" AFTER UPDATE OF compaction_paused_at ON "projects" FOR EACH ROW
  WHEN (OLD.compaction_paused_at IS NULL AND NEW.compaction_paused_at IS NOT NULL)
  EXECUTE FUNCTION spillway_audit('compaction.paused', 'name');
CREATE TRIGGER "audit_project_compaction_resumed" AFTER UPDATE OF compaction_paused_at ON "projects" FOR EACH ROW
  WHEN (OLD.compaction_paused_at IS NOT NULL AND NEW.compaction_paused_at IS NULL)
  EXECUTE FUNCTION spillway_audit('compaction.resumed', 'name');

-- The same for all projects: one row, which every claim reads and only the service's own work changes.
CREATE TABLE "compaction_pause" (
    "id" BOOLEAN NOT NULL DEFAULT true CHECK (id),
    "paused_at" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "compaction_pause_pkey" PRIMARY KEY ("id")
);
INSERT INTO "compaction_pause" DEFAULT VALUES;
GRANT SELECT, UPDATE ON "compaction_pause" TO spillway_app;
ALTER TABLE "compaction_pause" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "compaction_pause" FORCE ROW LEVEL SECURITY;
CREATE POLICY "everyone" ON "compaction_pause" USING (true) WITH CHECK ((SELECT spillway_is_service()));

-- The audit log is of projects: each says that its threads were not compacted.
CREATE FUNCTION spillway_audit_compaction_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target)
  SELECT id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'),
    CASE WHEN NEW.paused_at IS NULL THEN 'compaction.resumed' ELSE 'compaction.paused' END, 'all projects'
  FROM projects WHERE erased_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_compaction_pause" AFTER UPDATE OF paused_at ON "compaction_pause" FOR EACH ROW
  WHEN ((OLD.paused_at IS NULL) <> (NEW.paused_at IS NULL)) EXECUTE FUNCTION spillway_audit_compaction_pause();
