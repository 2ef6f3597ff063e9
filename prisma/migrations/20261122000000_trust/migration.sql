-- DropIndex
DROP INDEX "threads_needs_compaction_requested_at_idx";

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "expires_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "withdrawn_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "sweeps" ADD COLUMN     "orphans" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refused" TEXT;

-- CreateTable
CREATE TABLE "sessions" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "key_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "project_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "detail" TEXT,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sessions_hash_key" ON "sessions"("hash");

-- CreateIndex
CREATE INDEX "threads_project_id_needs_compaction_requested_at_idx" ON "threads"("project_id", "needs_compaction", "requested_at");


-- The role that API and workers take on. It owns nothing, so row-level security binds it, and it can't change what was audited.
DO $$
BEGIN
  CREATE ROLE spillway_app NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'Spillway needs the role spillway_app. Let an administrator run: CREATE ROLE spillway_app NOLOGIN, then GRANT spillway_app TO %', current_user;
END $$;

DO $$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND NOT pg_has_role(current_user, 'spillway_app', 'USAGE') THEN
    EXECUTE format('GRANT spillway_app TO %I', current_user);
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO spillway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON "projects", "api_keys", "sessions", "model_overrides", "threads", "messages", "summaries",
  "compaction_attempts", "outputs", "media", "media_uses", "sweeps" TO spillway_app;
GRANT SELECT, INSERT ON "audit_log" TO spillway_app;
GRANT USAGE ON SEQUENCE "audit_log_id_seq" TO spillway_app;

-- Who a connection speaks for: one project, all of them (the service's own work), or nobody.
CREATE FUNCTION spillway_project() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN length(current_setting('spillway.project', true)) = 36 THEN current_setting('spillway.project', true)::uuid END
$$;
CREATE FUNCTION spillway_is_service() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(current_setting('spillway.project', true) = '*', false)
$$;

-- Forced, so that it binds the owner as well.
ALTER TABLE "projects" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "projects" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "projects" USING (id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "api_keys" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "api_keys" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "sessions" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "sessions" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "audit_log" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "audit_log" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "audit_log" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "model_overrides" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "model_overrides" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "model_overrides" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "threads" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "threads" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "threads" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "messages" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "messages" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "summaries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "summaries" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "summaries" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "compaction_attempts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "compaction_attempts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "compaction_attempts" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "outputs" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "outputs" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "outputs" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "media" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "media" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "media" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "media_uses" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "media_uses" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "media_uses" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "sweeps" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "sweeps" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "sweeps" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- What is audited is written by the statement that does it: there is no doing one without the other.
-- Arguments: the action, and the column that names its target.
CREATE FUNCTION spillway_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed jsonb := to_jsonb(NEW);
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (coalesce(changed ->> 'project_id', changed ->> 'id')::uuid,
    coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], changed ->> TG_ARGV[1],
    CASE WHEN TG_NARGS > 2 THEN jsonb_build_object(TG_ARGV[2], changed -> TG_ARGV[2])::text END);
  RETURN NULL;
END $$;

CREATE TRIGGER "audit_key_created" AFTER INSERT ON "api_keys" FOR EACH ROW EXECUTE FUNCTION spillway_audit('key.created', 'id', 'scopes');
CREATE TRIGGER "audit_key_revoked" AFTER UPDATE OF revoked_at ON "api_keys" FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('key.revoked', 'id');
CREATE TRIGGER "audit_session_started" AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION spillway_audit('session.started', 'id', 'key_id');
CREATE TRIGGER "audit_session_ended" AFTER UPDATE OF ended_at ON "sessions" FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('session.ended', 'id');
CREATE TRIGGER "audit_project_policy" AFTER UPDATE OF policy ON "projects" FOR EACH ROW
  WHEN (OLD.policy IS DISTINCT FROM NEW.policy) EXECUTE FUNCTION spillway_audit('policy.changed', 'name', 'policy');
CREATE TRIGGER "audit_model_override" AFTER INSERT OR UPDATE ON "model_overrides" FOR EACH ROW
  EXECUTE FUNCTION spillway_audit('model.overridden', 'name', 'context_window');
CREATE TRIGGER "audit_thread_erased" AFTER UPDATE OF deleted_at ON "threads" FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('thread.erased', 'id');
CREATE TRIGGER "audit_thread_policy" AFTER UPDATE OF policy ON "threads" FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL AND OLD.policy IS DISTINCT FROM NEW.policy) EXECUTE FUNCTION spillway_audit('thread.policy_changed', 'id', 'policy');
CREATE TRIGGER "audit_compaction_requested" AFTER UPDATE OF request ON "threads" FOR EACH ROW
  WHEN (NEW.request IS NOT NULL AND OLD.request IS DISTINCT FROM NEW.request) EXECUTE FUNCTION spillway_audit('compaction.requested', 'id', 'request');
CREATE TRIGGER "audit_thread_retried" AFTER UPDATE OF park_reason ON "threads" FOR EACH ROW
  WHEN (OLD.park_reason IS NOT NULL AND OLD.park_reason <> 'irreducible' AND NEW.park_reason IS NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION spillway_audit('thread.retried', 'id');
CREATE TRIGGER "audit_message_erased" AFTER UPDATE OF erased_at ON "messages" FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('message.erased', 'thread_uid', 'seq');
CREATE TRIGGER "audit_summary_restored" AFTER INSERT ON "summaries" FOR EACH ROW
  WHEN (NEW.restored_from IS NOT NULL) EXECUTE FUNCTION spillway_audit('summary.restored', 'thread_uid', 'restored_from');
CREATE TRIGGER "audit_summary_withdrawn" AFTER UPDATE OF withdrawn_at ON "summaries" FOR EACH ROW
  WHEN (OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('summary.withdrawn', 'thread_uid', 'generation');
CREATE TRIGGER "audit_output_pinned" AFTER UPDATE OF pinned ON "outputs" FOR EACH ROW
  WHEN (OLD.pinned IS DISTINCT FROM NEW.pinned) EXECUTE FUNCTION spillway_audit('output.pin_changed', 'id', 'pinned');
