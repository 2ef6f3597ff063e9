-- Outside a transaction.
-- The same for the blobs of posted content.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outputs_original_key" ON "outputs" USING hash ("original_key")
  WHERE original_key IS NOT NULL AND state <> 'deleted';
