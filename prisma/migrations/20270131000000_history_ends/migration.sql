-- CreateTable
CREATE TABLE "history_ends" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "taken" BOOLEAN NOT NULL DEFAULT false,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "history_ends_pkey" PRIMARY KEY ("project_id","thread_uid","seq")
);

-- CreateIndex
CREATE INDEX "history_ends_project_id_digest_idx" ON "history_ends"("project_id", "digest");

GRANT SELECT, INSERT, UPDATE, DELETE ON "history_ends" TO spillway_app;
ALTER TABLE "history_ends" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "history_ends" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "history_ends" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
