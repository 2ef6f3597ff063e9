-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "policy" TEXT NOT NULL DEFAULT '{}',
    "settings_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "model_overrides" (
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "context_window" INTEGER NOT NULL,

    CONSTRAINT "model_overrides_pkey" PRIMARY KEY ("project_id","name")
);

-- CreateTable
CREATE TABLE "threads" (
    "project_id" UUID NOT NULL,
    "uid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "id" TEXT NOT NULL,
    "model" TEXT,
    "system" TEXT,
    "metadata" TEXT NOT NULL DEFAULT '{}',
    "policy" TEXT NOT NULL DEFAULT '{}',
    "policy_version" INTEGER NOT NULL DEFAULT 1,
    "next_seq" INTEGER NOT NULL DEFAULT 1,
    "leading_through" INTEGER NOT NULL DEFAULT 0,
    "live_tokens" INTEGER NOT NULL DEFAULT 0,
    "total_tokens" BIGINT NOT NULL DEFAULT 0,
    "context_window" INTEGER NOT NULL,
    "limit_tokens" INTEGER NOT NULL,
    "trigger_tokens" INTEGER NOT NULL,
    "summary_enabled" BOOLEAN NOT NULL DEFAULT true,
    "output_count" INTEGER NOT NULL DEFAULT 0,
    "chain" INTEGER NOT NULL DEFAULT 1,
    "last_chain" INTEGER NOT NULL DEFAULT 1,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "last_generation" INTEGER NOT NULL DEFAULT 0,
    "covered_through" INTEGER NOT NULL DEFAULT 0,
    "content_version" INTEGER NOT NULL DEFAULT 1,
    "read_seq" INTEGER NOT NULL DEFAULT 0,
    "needs_compaction" BOOLEAN NOT NULL DEFAULT false,
    "request" TEXT,
    "requested_at" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lost_attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "park_reason" TEXT,
    "parked_tokens" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "threads_pkey" PRIMARY KEY ("project_id","uid")
);

-- CreateTable
CREATE TABLE "messages" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "client_id" TEXT,
    "role" TEXT NOT NULL,
    "pinned" BOOLEAN NOT NULL,
    "tokens" INTEGER NOT NULL,
    "full_tokens" INTEGER NOT NULL,
    "calls" TEXT,
    "answers" TEXT,
    "body" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "output_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("project_id","thread_uid","seq")
);

-- CreateTable
CREATE TABLE "summaries" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "chain" INTEGER NOT NULL,
    "from_seq" INTEGER NOT NULL,
    "to_seq" INTEGER NOT NULL,
    "as_of_seq" INTEGER NOT NULL,
    "visible_from_seq" INTEGER NOT NULL,
    "carried" INTEGER[],
    "fields" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL,
    "tokens_before" INTEGER NOT NULL,
    "tokens_after" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "model" TEXT,
    "restored_from" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "summaries_pkey" PRIMARY KEY ("project_id","thread_uid","generation")
);

-- CreateTable
CREATE TABLE "compaction_attempts" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "epoch" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL,
    "outcome" TEXT,
    "reason" TEXT,
    "generation" INTEGER,
    "from_seq" INTEGER,
    "to_seq" INTEGER,
    "method" TEXT,
    "model" TEXT,
    "tokens_before" INTEGER,
    "tokens_after" INTEGER,
    "error" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "compaction_attempts_pkey" PRIMARY KEY ("project_id","thread_uid","epoch")
);

-- CreateTable
CREATE TABLE "outputs" (
    "project_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "thread_uid" UUID,
    "seq" INTEGER,
    "state" TEXT NOT NULL,
    "blob_key" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "lines" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "content_type" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "line_index" BIGINT[],
    "original" TEXT,
    "tool" TEXT,
    "tool_call_id" TEXT,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "delete_after" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "outputs_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "sweeps" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "duration_ms" INTEGER NOT NULL,
    "expired" INTEGER NOT NULL,
    "over_budget" INTEGER NOT NULL,
    "deleted" INTEGER NOT NULL,
    "bytes_freed" BIGINT NOT NULL,

    CONSTRAINT "sweeps_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "projects_name_key" ON "projects"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "threads_needs_compaction_requested_at_idx" ON "threads"("needs_compaction", "requested_at");

-- CreateIndex
CREATE UNIQUE INDEX "threads_project_id_id_key" ON "threads"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_project_id_thread_uid_client_id_key" ON "messages"("project_id", "thread_uid", "client_id");

-- CreateIndex
CREATE UNIQUE INDEX "summaries_project_id_thread_uid_chain_from_seq_key" ON "summaries"("project_id", "thread_uid", "chain", "from_seq");

-- CreateIndex
CREATE INDEX "outputs_project_id_thread_uid_seq_idx" ON "outputs"("project_id", "thread_uid", "seq" DESC);

-- CreateIndex
CREATE INDEX "outputs_state_expires_at_idx" ON "outputs"("state", "expires_at");



-- What no statement may break, whoever writes it.
ALTER TABLE "messages" ADD CONSTRAINT "messages_seq_from_one" CHECK (seq >= 1);
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_range" CHECK (from_seq >= 1 AND to_seq >= from_seq);
ALTER TABLE "threads" ADD CONSTRAINT "threads_covered" CHECK (covered_through >= 0 AND covered_through < next_seq);

-- A thread row is updated by every append. Room on its page lets Postgres do so without touching an index.
ALTER TABLE "threads" SET (fillfactor = 70);
