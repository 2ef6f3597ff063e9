-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "replaces" INTEGER,
ADD COLUMN     "undone_at" TIMESTAMPTZ(3);

CREATE TRIGGER "audit_summary_undone" AFTER UPDATE OF undone_at ON "summaries" FOR EACH ROW
  WHEN (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('summary.undone', 'thread_uid', 'generation');

CREATE FUNCTION spillway_tell_undone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'summary.undone', json_build_object('generation', NEW.generation,
    'from_seq', NEW.from_seq, 'to_seq', NEW.to_seq)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_undone" AFTER UPDATE OF undone_at ON "summaries" FOR EACH ROW
  WHEN (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL) EXECUTE FUNCTION spillway_tell_undone();

-- A thread that waits after an undo goes on by itself when it has grown, which is nobody's retry.
DROP TRIGGER "audit_thread_retried" ON "threads";
CREATE TRIGGER "audit_thread_retried" AFTER UPDATE OF park_reason ON "threads" FOR EACH ROW
  WHEN (OLD.park_reason IS NOT NULL AND OLD.park_reason NOT IN ('irreducible', 'undone') AND NEW.park_reason IS NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION spillway_audit('thread.retried', 'id');
