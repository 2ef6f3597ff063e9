-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "instructions" TEXT;

-- CreateTable
CREATE TABLE "instructions" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "decision" TEXT,
    "decided_seq" INTEGER,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instructions_pkey" PRIMARY KEY ("project_id","thread_uid","id")
);

-- CreateIndex
CREATE INDEX "instructions_project_id_thread_uid_seq_idx" ON "instructions"("project_id", "thread_uid", "seq");


GRANT SELECT, INSERT, UPDATE, DELETE ON "instructions" TO spillway_app;
ALTER TABLE "instructions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "instructions" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "instructions" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- What a person decides changes what every later context holds, so it is audited: by id, without the words.
CREATE TRIGGER "audit_instruction_added" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'added') EXECUTE FUNCTION spillway_audit('instruction.added', 'thread_uid', 'id');
CREATE TRIGGER "audit_instruction_dismissed" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'found' AND NEW.decision = 'dismissed') EXECUTE FUNCTION spillway_audit('instruction.dismissed', 'thread_uid', 'id');
CREATE TRIGGER "audit_instruction_approved" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'found' AND NEW.decision = 'active') EXECUTE FUNCTION spillway_audit('instruction.approved', 'thread_uid', 'id');
CREATE TRIGGER "audit_instruction_dismissed_again" AFTER UPDATE OF decision ON "instructions" FOR EACH ROW
  WHEN (NEW.decision = 'dismissed' AND OLD.decision IS DISTINCT FROM NEW.decision) EXECUTE FUNCTION spillway_audit('instruction.dismissed', 'thread_uid', 'id');
CREATE TRIGGER "audit_instruction_approved_again" AFTER UPDATE OF decision ON "instructions" FOR EACH ROW
  WHEN (NEW.decision = 'active' AND OLD.decision IS DISTINCT FROM NEW.decision) EXECUTE FUNCTION spillway_audit('instruction.approved', 'thread_uid', 'id');

CREATE FUNCTION spillway_tell_instruction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'thread.changed', '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER "event_instruction_decided" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.decision IS NOT NULL) EXECUTE FUNCTION spillway_tell_instruction();
CREATE TRIGGER "event_instruction_decided_again" AFTER UPDATE OF decision ON "instructions" FOR EACH ROW
  WHEN (OLD.decision IS DISTINCT FROM NEW.decision) EXECUTE FUNCTION spillway_tell_instruction();
