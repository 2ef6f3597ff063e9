-- Three things that a person does had no row of the audit log: they made a project, and sent an event to a webhook,
-- as a test or once more.
CREATE TRIGGER "audit_project_created" AFTER INSERT ON "projects" FOR EACH ROW
  EXECUTE FUNCTION spillway_audit('project.created', 'name');

-- The target is the webhook, as of all its other rows; the detail says which delivery.
CREATE FUNCTION spillway_audit_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (NEW.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0],
    NEW.webhook_id::text, jsonb_build_object('delivery', NEW.id, 'type', NEW.type)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_webhook_tested" AFTER INSERT ON "webhook_deliveries" FOR EACH ROW
  WHEN (NEW.type = 'webhook.test') EXECUTE FUNCTION spillway_audit_delivery('webhook.tested');
-- No other statement than the one that sends a delivery again begins a new epoch of its lease without an attempt.
CREATE TRIGGER "audit_webhook_redelivered" AFTER UPDATE OF attempts ON "webhook_deliveries" FOR EACH ROW
  WHEN (NEW.attempts = 0 AND NEW.lease_epoch > OLD.lease_epoch)
  EXECUTE FUNCTION spillway_audit_delivery('webhook.redelivered');
