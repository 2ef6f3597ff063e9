-- An index that was given up while it was built is of no use: it is built again.
DO $$
BEGIN
  IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'outputs_blob_key'::regclass) THEN
    DROP INDEX outputs_blob_key;
    CREATE INDEX outputs_blob_key ON outputs USING hash (blob_key) WHERE state <> 'deleted';
  END IF;
  IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'outputs_original_key'::regclass) THEN
    DROP INDEX outputs_original_key;
    CREATE INDEX outputs_original_key ON outputs USING hash (original_key)
      WHERE original_key IS NOT NULL AND state <> 'deleted';
  END IF;
  IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'threads_unsettled'::regclass) THEN
    DROP INDEX threads_unsettled;
    CREATE INDEX threads_unsettled ON threads (project_id, park_reason, requested_at)
      WHERE needs_compaction OR park_reason IS NOT NULL;
  END IF;
END $$;

-- The index of unsettled threads takes its place. It had a row for each thread.
-- DropIndex
DROP INDEX "threads_needs_compaction_project_id_requested_at_idx";

-- Threads to prepare, without those that are due or parked: these keep the time, and each look passed them.
-- DropIndex
DROP INDEX "threads_prepare_at_idx";
CREATE INDEX "threads_to_prepare" ON "threads"("prepare_at") WHERE prepare_at IS NOT NULL AND NOT needs_compaction AND park_reason IS NULL;

-- A sweep asks each minute, for each project, whether there are old ones.
-- CreateIndex
CREATE INDEX "sweeps_project_id_started_at_idx" ON "sweeps"("project_id", "started_at");

-- CreateIndex
CREATE INDEX "sessions_project_id_created_at_idx" ON "sessions"("project_id", "created_at");
