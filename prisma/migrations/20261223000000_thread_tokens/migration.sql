-- CreateTable
CREATE TABLE "thread_tokens" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "thread_uid" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "thread_tokens_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "thread_tokens_hash_key" ON "thread_tokens"("hash");

-- CreateIndex
CREATE INDEX "thread_tokens_project_id_thread_uid_idx" ON "thread_tokens"("project_id", "thread_uid");

-- CreateIndex
CREATE INDEX "thread_tokens_project_id_key_id_idx" ON "thread_tokens"("project_id", "key_id");


GRANT SELECT, INSERT, UPDATE, DELETE ON "thread_tokens" TO spillway_app;
ALTER TABLE "thread_tokens" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "thread_tokens" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "thread_tokens" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- The target is the thread. The detail names the token, which is the actor of what it does later.
CREATE FUNCTION spillway_audit_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  VALUES (NEW.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], NEW.thread_uid::text,
    jsonb_build_object('id', NEW.id, 'key_id', NEW.key_id, 'scopes', NEW.scopes, 'expires_at', NEW.expires_at)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_token_created" AFTER INSERT ON "thread_tokens" FOR EACH ROW EXECUTE FUNCTION spillway_audit_token('token.created');
CREATE TRIGGER "audit_token_revoked" AFTER UPDATE OF revoked_at ON "thread_tokens" FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION spillway_audit_token('token.revoked');
