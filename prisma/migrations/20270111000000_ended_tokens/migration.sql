-- A sweep asks each minute, for each project, whether tokens ended long ago: by this index it reads one of them at most.
CREATE INDEX "thread_tokens_project_id_expires_at_idx" ON "thread_tokens"("project_id", "expires_at");
