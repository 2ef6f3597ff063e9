-- A caller's own summary names the key that wrote it.
ALTER TABLE "summaries" ADD COLUMN     "author" TEXT;

-- It changes every later context, so it is audited. A restored copy is audited as a restore.
CREATE TRIGGER "audit_summary_written" AFTER INSERT ON "summaries" FOR EACH ROW
  WHEN (NEW.author IS NOT NULL AND NEW.restored_from IS NULL) EXECUTE FUNCTION spillway_audit('summary.written', 'thread_uid', 'generation');
