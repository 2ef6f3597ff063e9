-- Model calls for summaries, beside the other counts of an hour: the operator compares projects by them, and an attempt
-- goes with its thread.
ALTER TABLE "usage_hours" ADD COLUMN     "summary_attempts" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "summary_input_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "summary_output_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "summary_cached_input_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "summary_cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "summary_unpriced_attempts" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "thread_counts" (
    "project_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "threads" BIGINT NOT NULL,

    CONSTRAINT "thread_counts_pkey" PRIMARY KEY ("project_id","id")
);
GRANT SELECT, INSERT, UPDATE, DELETE ON "thread_counts" TO spillway_app;
GRANT USAGE ON SEQUENCE "thread_counts_id_seq" TO spillway_app;
ALTER TABLE "thread_counts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "thread_counts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "thread_counts" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- The threads of a project are the sum of its rows here, as output_bytes has its bytes: whoever creates a thread inserts
-- a row and waits for nobody, and the sweep adds the rows up.
CREATE FUNCTION spillway_count_threads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO thread_counts (project_id, threads) VALUES (NEW.project_id, 1);
  ELSE
    INSERT INTO thread_counts (project_id, threads) VALUES (OLD.project_id, -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_created" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION spillway_count_threads();
CREATE TRIGGER "count_erased" AFTER UPDATE OF deleted_at ON "threads" FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION spillway_count_threads();
CREATE TRIGGER "count_deleted" AFTER DELETE ON "threads" FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION spillway_count_threads();
