-- Outside a transaction.
-- Threads with the window of an unknown model, the newest first. No append changes a column of it, so appends stay cheap.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "threads_of_fallback_window" ON "threads"("project_id", "created_at" DESC)
  WHERE context_window = 8192 AND deleted_at IS NULL;
