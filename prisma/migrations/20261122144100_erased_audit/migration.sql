-- An erasure also takes what the audit log holds of a thread: its id, and the prompts in changes of its policy. The
-- entries stay, under a pseudonym. The role of the app cannot change the log, so the function runs as its owner. The
-- index is in the C collation, in which a prefix is a range.
CREATE INDEX "audit_log_project_id_target_idx" ON "audit_log"("project_id", "target" COLLATE "C");

CREATE FUNCTION spillway_redact_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  encoded text := replace(replace(NEW.id, ':', '%3A'), '@', '%40');
  pseudonym text := 'erased:' || NEW.uid;
BEGIN
  UPDATE audit_log SET target = pseudonym, detail = NULL WHERE project_id = NEW.project_id AND target COLLATE "C" = NEW.id
    AND action IN ('thread.erased', 'thread.policy_changed', 'thread.retried', 'compaction.requested');
  UPDATE audit_log SET target = replace(replace(target, '/threads/' || NEW.id, '/threads/' || pseudonym),
      '/threads/' || encoded, '/threads/' || pseudonym)
    WHERE project_id = NEW.project_id AND (target COLLATE "C" ^@ ('/v1/threads/' || NEW.id || '/') OR target COLLATE "C" ^@ ('/v1/threads/' || encoded || '/')
      OR target COLLATE "C" IN ('/v1/threads/' || NEW.id, '/v1/threads/' || encoded));
  RETURN NULL;
END $$;
-- Triggers of one event run in the order of their names: this one after "audit_thread_erased".
CREATE TRIGGER "audit_thread_redacted" AFTER UPDATE OF deleted_at ON "threads" FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION spillway_redact_audit();
