-- Outside a transaction.
-- The admin keys of a project, which may have a key for each of its users. The last use of a key changes no column of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_of_admins" ON "api_keys"("project_id")
  WHERE revoked_at IS NULL AND 'admin' = ANY(scopes);
