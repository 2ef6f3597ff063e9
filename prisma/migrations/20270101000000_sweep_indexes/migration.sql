-- A sweep runs each minute for each project: it finds what there is to do, and does not read what has nothing to do.
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries"("project_id", "ended_at") WHERE ended_at IS NOT NULL;
CREATE INDEX "threads_erased" ON "threads"("project_id", "deleted_at") WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL;
CREATE INDEX "compaction_attempts_open" ON "compaction_attempts"("project_id", "thread_uid") WHERE outcome IS NULL;
