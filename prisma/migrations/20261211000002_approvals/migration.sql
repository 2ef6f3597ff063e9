-- What a person decides about a proposed summary changes every later context, so it is audited. A worker approves one
-- that has waited until the limit is near.
CREATE TRIGGER "audit_summary_approved" AFTER UPDATE OF prepared_state ON "threads" FOR EACH ROW
  WHEN (OLD.prepared_state = 'proposed' AND NEW.prepared_state = 'prepared' AND NEW.prepared_generation = OLD.prepared_generation)
  EXECUTE FUNCTION spillway_audit('summary.approved', 'id', 'prepared_generation');

DROP TRIGGER "audit_thread_retried" ON "threads";
CREATE TRIGGER "audit_thread_retried" AFTER UPDATE OF park_reason ON "threads" FOR EACH ROW
  WHEN (OLD.park_reason IS NOT NULL AND OLD.park_reason NOT IN ('irreducible', 'undone', 'declined') AND NEW.park_reason IS NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION spillway_audit('thread.retried', 'id');
