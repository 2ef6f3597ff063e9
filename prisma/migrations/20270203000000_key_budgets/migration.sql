-- What model calls of agents may take in a day with one key, and what they took. No row is rewritten.
SET LOCAL lock_timeout = '3s';
-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "max_chat_tokens_per_day" BIGINT;

CREATE TRIGGER "audit_key_renamed" AFTER UPDATE OF name ON "api_keys" FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION spillway_audit_change('key.renamed', 'id', 'name');
CREATE TRIGGER "audit_key_budget_changed" AFTER UPDATE OF max_chat_tokens_per_day ON "api_keys" FOR EACH ROW
  WHEN (OLD.max_chat_tokens_per_day IS DISTINCT FROM NEW.max_chat_tokens_per_day)
  EXECUTE FUNCTION spillway_audit_change('key.budget_changed', 'id', 'max_chat_tokens_per_day');

-- CreateTable
CREATE TABLE "key_usage_days" (
    "project_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "key_id" UUID NOT NULL,
    "chat_tokens" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "key_usage_days_pkey" PRIMARY KEY ("project_id","day","key_id")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON "key_usage_days" TO spillway_app;
ALTER TABLE "key_usage_days" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "key_usage_days" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "key_usage_days" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
