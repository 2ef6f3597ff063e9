-- Outside a transaction.
-- A sweep of the storage looks up the row of each blob. Before, it compared each thousand blobs with all outputs of the
-- project. Keys are long and begin alike: their hashes take a fraction of the room. It may be repeated: one that was
-- given up is rebuilt by 20270118000003_drop_due_indexes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outputs_blob_key" ON "outputs" USING hash ("blob_key") WHERE state <> 'deleted';
