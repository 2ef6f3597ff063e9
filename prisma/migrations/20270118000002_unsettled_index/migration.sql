-- Outside a transaction.
-- The threads that are due, running, backing off, parked or wait for an approval: most threads are none of these, and
-- cost it nothing. Parked ones come first among those of a project, so that a look for due ones passes them by.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "threads_unsettled" ON "threads"("project_id", "park_reason", "requested_at")
  WHERE needs_compaction OR park_reason IS NOT NULL;
