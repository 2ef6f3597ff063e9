-- DropIndex
DROP INDEX "threads_project_id_needs_compaction_requested_at_idx";

-- CreateIndex
CREATE INDEX "threads_needs_compaction_project_id_requested_at_idx" ON "threads"("needs_compaction", "project_id", "requested_at");
