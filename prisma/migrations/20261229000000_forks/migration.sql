-- AlterTable
ALTER TABLE "outputs" ADD COLUMN     "folder_uid" UUID;

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "fork_seq" INTEGER,
ADD COLUMN     "forked_from" TEXT;

-- CreateTable
CREATE TABLE "output_uses" (
    "project_id" UUID NOT NULL,
    "output_id" TEXT NOT NULL,
    "thread_uid" UUID NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "output_uses_pkey" PRIMARY KEY ("project_id","output_id","thread_uid")
);

-- CreateIndex
CREATE INDEX "output_uses_project_id_thread_uid_seq_idx" ON "output_uses"("project_id", "thread_uid", "seq");


GRANT SELECT, INSERT, UPDATE, DELETE ON "output_uses" TO spillway_app;
ALTER TABLE "output_uses" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "output_uses" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "output_uses" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- What the sweep keeps in the folder of an erased thread.
CREATE INDEX "outputs_in_other_folder" ON "outputs"("project_id", "folder_uid") WHERE folder_uid IS NOT NULL;

-- A fork is one event, whatever number of messages it has. The audit entry names both threads by their own ids, as
-- those of other changes of messages do, so that an erasure leaves no client's id in the log.
DROP TRIGGER "event_1_recorded_first" ON "threads";
CREATE TRIGGER "event_1_recorded_first" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.next_seq > 1 AND NEW.forked_from IS NULL) EXECUTE FUNCTION spillway_tell_recorded();
DROP TRIGGER "event_3_created" ON "threads";
CREATE TRIGGER "event_3_created" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.next_seq = 1 AND NEW.forked_from IS NULL) EXECUTE FUNCTION spillway_tell_thread('thread.changed');

CREATE FUNCTION spillway_tell_forked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.uid, 'thread.forked', json_build_object('from_thread_id', NEW.forked_from,
    'at', NEW.fork_seq, 'live_tokens', NEW.live_tokens)::text);
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  SELECT NEW.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), 'thread.forked', NEW.uid::text,
    jsonb_build_object('from', uid, 'at', NEW.fork_seq)::text
  FROM threads WHERE project_id = NEW.project_id AND id = NEW.forked_from;
  RETURN NULL;
END $$;
CREATE TRIGGER "event_1_forked" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.forked_from IS NOT NULL) EXECUTE FUNCTION spillway_tell_forked();

-- A fork copies rows with their times. What was audited and reported with the original is not the fork's doing.
CREATE FUNCTION spillway_is_copied(made timestamptz) RETURNS bool LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT made < date_trunc('milliseconds', now())
$$;
DROP TRIGGER "audit_summary_written" ON "summaries";
CREATE TRIGGER "audit_summary_written" AFTER INSERT ON "summaries" FOR EACH ROW
  WHEN (NEW.author IS NOT NULL AND NEW.restored_from IS NULL AND NOT spillway_is_copied(NEW.created_at))
  EXECUTE FUNCTION spillway_audit('summary.written', 'thread_uid', 'generation');
DROP TRIGGER "audit_instruction_added" ON "instructions";
CREATE TRIGGER "audit_instruction_added" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'added' AND NOT spillway_is_copied(NEW.created_at))
  EXECUTE FUNCTION spillway_audit('instruction.added', 'thread_uid', 'id');
DROP TRIGGER "audit_instruction_dismissed" ON "instructions";
CREATE TRIGGER "audit_instruction_dismissed" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'found' AND NEW.decision = 'dismissed' AND NOT spillway_is_copied(NEW.decided_at))
  EXECUTE FUNCTION spillway_audit('instruction.dismissed', 'thread_uid', 'id');
DROP TRIGGER "audit_instruction_approved" ON "instructions";
CREATE TRIGGER "audit_instruction_approved" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.source = 'found' AND NEW.decision = 'active' AND NOT spillway_is_copied(NEW.decided_at))
  EXECUTE FUNCTION spillway_audit('instruction.approved', 'thread_uid', 'id');
DROP TRIGGER "event_instruction_decided" ON "instructions";
CREATE TRIGGER "event_instruction_decided" AFTER INSERT ON "instructions" FOR EACH ROW
  WHEN (NEW.decision IS NOT NULL AND NOT spillway_is_copied(NEW.decided_at)) EXECUTE FUNCTION spillway_tell_instruction();
