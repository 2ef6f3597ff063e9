-- Outside a transaction.
-- The hours of all projects, for the operator's figures. No count changes an hour, so counting stays cheap.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "usage_hours_hour_idx" ON "usage_hours"("hour");
