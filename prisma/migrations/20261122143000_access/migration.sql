-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "is_bootstrap" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "previous_secret" TEXT,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "sessions_project_id_key_id_idx" ON "sessions"("project_id", "key_id");


-- Row-level security binds the owner of the tables as well, so the updates below speak for the service.
SELECT set_config('spillway.project', '*', true);

-- The key that SPILLWAY_BOOTSTRAP_KEY made: the first of its name in the project that it makes.
UPDATE "api_keys" SET "is_bootstrap" = true WHERE ("project_id", "id") IN (
  SELECT DISTINCT ON (k.project_id) k.project_id, k.id FROM "api_keys" k JOIN "projects" p ON p.id = k.project_id
  WHERE p.name = 'default' AND k.name = 'bootstrap' AND k.scopes = '{admin}' AND k.expires_at IS NULL
  ORDER BY k.project_id, k.created_at);
-- Whatever it was, its first characters are not shown any more unless it has the form of a generated key.
UPDATE "api_keys" SET "prefix" = 'custom' WHERE "is_bootstrap" AND "prefix" NOT LIKE 'sw\_%';
-- A session that lives proved its key when it began.
UPDATE "sessions" SET "proved_at" = "created_at";

CREATE TRIGGER "audit_session_proved" AFTER UPDATE OF proved_at ON "sessions" FOR EACH ROW
  WHEN (OLD.proved_at IS DISTINCT FROM NEW.proved_at) EXECUTE FUNCTION spillway_audit('session.proved', 'id');

-- URLs of receivers often hold tokens. The audit log can not be changed, so it gets them without user and query.
CREATE FUNCTION spillway_plain_url(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(url, '[?#].*$', ''), '^([A-Za-z][A-Za-z0-9+.-]*://)[^/@]*@', '\1')
$$;
CREATE FUNCTION spillway_audit_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (NEW.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], NEW.id::text,
    jsonb_build_object('url', spillway_plain_url(NEW.url))::text);
  RETURN NULL;
END $$;
DROP TRIGGER "audit_webhook_created" ON "webhooks";
CREATE TRIGGER "audit_webhook_created" AFTER INSERT ON "webhooks" FOR EACH ROW EXECUTE FUNCTION spillway_audit_webhook('webhook.created');
DROP TRIGGER "audit_webhook_changed" ON "webhooks";
CREATE TRIGGER "audit_webhook_changed" AFTER UPDATE OF url, types ON "webhooks" FOR EACH ROW
  WHEN (OLD.url <> NEW.url OR OLD.types <> NEW.types) EXECUTE FUNCTION spillway_audit_webhook('webhook.changed');
CREATE TRIGGER "audit_webhook_secret_rotated" AFTER UPDATE OF previous_secret_until ON "webhooks" FOR EACH ROW
  WHEN (OLD.previous_secret_until IS DISTINCT FROM NEW.previous_secret_until)
  EXECUTE FUNCTION spillway_audit('webhook.secret_rotated', 'id');
UPDATE "audit_log" SET "detail" = jsonb_build_object('url', spillway_plain_url("detail"::jsonb ->> 'url'))::text
  WHERE "action" IN ('webhook.created', 'webhook.changed') AND "detail" IS NOT NULL;
