-- AlterTable
ALTER TABLE "compaction_attempts" ADD COLUMN     "cached_input_tokens" INTEGER,
ADD COLUMN     "cost_usd" DOUBLE PRECISION,
ADD COLUMN     "input_tokens" INTEGER,
ADD COLUMN     "output_tokens" INTEGER,
ADD COLUMN     "prompt_version" TEXT;

-- AlterTable
ALTER TABLE "model_overrides" ADD COLUMN     "cached_input_price" DOUBLE PRECISION,
ADD COLUMN     "input_price" DOUBLE PRECISION,
ADD COLUMN     "output_price" DOUBLE PRECISION,
ALTER COLUMN "context_window" DROP NOT NULL;

-- CreateTable
CREATE TABLE "usage_hours" (
    "project_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "model" TEXT NOT NULL DEFAULT '',
    "messages" BIGINT NOT NULL DEFAULT 0,
    "tokens_recorded" BIGINT NOT NULL DEFAULT 0,
    "contexts" BIGINT NOT NULL DEFAULT 0,
    "contexts_degraded" BIGINT NOT NULL DEFAULT 0,
    "contexts_over_window" BIGINT NOT NULL DEFAULT 0,
    "tokens_sent" BIGINT NOT NULL DEFAULT 0,
    "tokens_full" BIGINT NOT NULL DEFAULT 0,
    "tokens_not_sent" BIGINT NOT NULL DEFAULT 0,
    "server_errors" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("project_id","hour","model")
);

-- CreateIndex
CREATE INDEX "compaction_attempts_project_id_started_at_idx" ON "compaction_attempts"("project_id", "started_at");

-- CreateIndex
CREATE INDEX "outputs_project_id_created_at_idx" ON "outputs"("project_id", "created_at");

GRANT SELECT, INSERT, UPDATE, DELETE ON "usage_hours" TO spillway_app;
ALTER TABLE "usage_hours" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "usage_hours" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "usage_hours" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
