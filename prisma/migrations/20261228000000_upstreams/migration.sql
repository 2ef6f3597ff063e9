-- CreateTable
CREATE TABLE "upstreams" (
    "project_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "key" TEXT,
    "models" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upstreams_pkey" PRIMARY KEY ("project_id","provider")
);


GRANT SELECT, INSERT, UPDATE, DELETE ON "upstreams" TO spillway_app;
ALTER TABLE "upstreams" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "upstreams" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "upstreams" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- Says where calls go and whether a key goes with them, never the key. A key that is only encrypted again is no change:
-- that moves no changed_at.
CREATE FUNCTION spillway_audit_upstream() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed upstreams := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (changed.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], changed.provider,
    jsonb_build_object('base_url', spillway_plain_url(changed.base_url), 'has_key', changed.key IS NOT NULL, 'models', changed.models)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_upstream_created" AFTER INSERT ON "upstreams" FOR EACH ROW EXECUTE FUNCTION spillway_audit_upstream('upstream.created');
CREATE TRIGGER "audit_upstream_changed" AFTER UPDATE OF changed_at ON "upstreams" FOR EACH ROW
  WHEN (OLD.changed_at IS DISTINCT FROM NEW.changed_at) EXECUTE FUNCTION spillway_audit_upstream('upstream.changed');
CREATE TRIGGER "audit_upstream_removed" AFTER DELETE ON "upstreams" FOR EACH ROW EXECUTE FUNCTION spillway_audit_upstream('upstream.removed');
