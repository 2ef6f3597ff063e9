-- An erasure also takes the thread's id from entries that came later than the function: of decided proposals, whose
-- target is the thread, and of a restored backup. Targets of other actions may look like the id and stay.
CREATE OR REPLACE FUNCTION spillway_redact_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  encoded text := replace(replace(NEW.id, ':', '%3A'), '@', '%40');
  pseudonym text := 'erased:' || NEW.uid;
BEGIN
  UPDATE audit_log SET target = pseudonym, detail = NULL WHERE project_id = NEW.project_id AND target COLLATE "C" = NEW.id
    AND action IN ('thread.erased', 'thread.policy_changed', 'thread.retried', 'thread.restored', 'compaction.requested',
      'summary.approved', 'summary.rejected');
  UPDATE audit_log SET target = replace(replace(target, '/threads/' || NEW.id, '/threads/' || pseudonym),
      '/threads/' || encoded, '/threads/' || pseudonym)
    WHERE project_id = NEW.project_id AND (target COLLATE "C" ^@ ('/v1/threads/' || NEW.id || '/') OR target COLLATE "C" ^@ ('/v1/threads/' || encoded || '/')
      OR target COLLATE "C" IN ('/v1/threads/' || NEW.id, '/v1/threads/' || encoded));
  RETURN NULL;
END $$;

-- Threads that were erased before.
SELECT set_config('spillway.project', '*', true);
UPDATE audit_log SET target = 'erased:' || erased.uid, detail = NULL FROM threads AS erased
  WHERE erased.deleted_at IS NOT NULL AND audit_log.project_id = erased.project_id AND audit_log.target = erased.id
    AND audit_log.action IN ('thread.restored', 'summary.approved', 'summary.rejected');
