-- Since when the operator refuses all requests of a project; null while they are served.
ALTER TABLE "projects" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);
CREATE TRIGGER "audit_project_suspended" AFTER UPDATE OF suspended_at ON "projects" FOR EACH ROW
  WHEN (OLD.suspended_at IS NULL AND NEW.suspended_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('project.suspended', 'name');
CREATE TRIGGER "audit_project_resumed" AFTER UPDATE OF suspended_at ON "projects" FOR EACH ROW
  WHEN (OLD.suspended_at IS NOT NULL AND NEW.suspended_at IS NULL) EXECUTE FUNCTION spillway_audit('project.resumed', 'name');
