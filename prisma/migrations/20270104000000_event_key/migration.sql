-- Outside a transaction.
-- The next migration makes the table of events one of partitions by time, whose key has the time in it. On a large table
-- the index takes minutes to build, and appends go on meanwhile. It may be repeated: one that was given up is rebuilt by
-- the next migration.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "events_by_time" ON "events"("project_id", "xid", "id", "at");
