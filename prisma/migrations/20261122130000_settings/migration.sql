-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);


-- A change of settings is written down with what was there before, and the removal of an override too.
-- Arguments: the action, the column that names its target, and the column that changed.
CREATE FUNCTION spillway_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  after jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  either jsonb := before || after;
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (coalesce(either ->> 'project_id', either ->> 'id')::uuid,
    coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], either ->> TG_ARGV[1],
    jsonb_build_object(TG_ARGV[2], after -> TG_ARGV[2], 'before', before -> TG_ARGV[2])::text);
  RETURN NULL;
END $$;

DROP TRIGGER "audit_project_policy" ON "projects";
CREATE TRIGGER "audit_project_policy" AFTER UPDATE OF policy ON "projects" FOR EACH ROW
  WHEN (OLD.policy IS DISTINCT FROM NEW.policy) EXECUTE FUNCTION spillway_audit_change('policy.changed', 'name', 'policy');
DROP TRIGGER "audit_thread_policy" ON "threads";
CREATE TRIGGER "audit_thread_policy" AFTER UPDATE OF policy ON "threads" FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL AND OLD.policy IS DISTINCT FROM NEW.policy)
  EXECUTE FUNCTION spillway_audit_change('thread.policy_changed', 'id', 'policy');
DROP TRIGGER "audit_model_override" ON "model_overrides";
CREATE TRIGGER "audit_model_override" AFTER INSERT OR UPDATE ON "model_overrides" FOR EACH ROW
  EXECUTE FUNCTION spillway_audit_change('model.overridden', 'name', 'context_window');
CREATE TRIGGER "audit_model_override_removed" AFTER DELETE ON "model_overrides" FOR EACH ROW
  EXECUTE FUNCTION spillway_audit_change('model.override_removed', 'name', 'context_window');
