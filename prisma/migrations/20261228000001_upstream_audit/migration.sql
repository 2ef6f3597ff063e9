-- Two changes in one millisecond have the same changed_at, and the second was not audited. The service itself only
-- encrypts keys again, which is no change.
DROP TRIGGER "audit_upstream_changed" ON "upstreams";
CREATE TRIGGER "audit_upstream_changed" AFTER UPDATE ON "upstreams" FOR EACH ROW
  WHEN (NOT spillway_is_service()) EXECUTE FUNCTION spillway_audit_upstream('upstream.changed');
