-- Bytes that cannot be removed are tried again later, each on its own.
ALTER TABLE "outputs" ADD COLUMN     "removal_attempts" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "threads" ADD COLUMN     "removal_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "remove_after" TIMESTAMPTZ(3);
ALTER TABLE "media" ADD COLUMN     "removal_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "remove_after" TIMESTAMPTZ(3);

ALTER TABLE "sweeps" ADD COLUMN     "error" TEXT,
ADD COLUMN     "failed" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "output_bytes" (
    "project_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "output_bytes_pkey" PRIMARY KEY ("project_id","id")
);
GRANT SELECT, INSERT, UPDATE, DELETE ON "output_bytes" TO spillway_app;
GRANT USAGE ON SEQUENCE "output_bytes_id_seq" TO spillway_app;
ALTER TABLE "output_bytes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "output_bytes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "output_bytes" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- Readable bytes of a project are the sum of its rows here. Appends insert a row and never wait for each other; the
-- sweep adds the rows up. So the budget is compared without reading all outputs.
CREATE FUNCTION spillway_count_output_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.state = 'ready' THEN OLD.bytes ELSE 0 END;
  after bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.state = 'ready' THEN NEW.bytes ELSE 0 END;
BEGIN
  IF before <> after THEN
    INSERT INTO output_bytes (project_id, bytes)
    VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.project_id ELSE NEW.project_id END, after - before);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_bytes" AFTER INSERT OR DELETE OR UPDATE OF state, bytes ON "outputs" FOR EACH ROW
  EXECUTE FUNCTION spillway_count_output_bytes();

SELECT set_config('spillway.project', '*', false);
INSERT INTO "output_bytes" (project_id, bytes) SELECT project_id, sum(bytes) FROM "outputs" WHERE state = 'ready' GROUP BY project_id;
-- Deleted outputs keep no hashes of their bytes.
UPDATE "outputs" SET chunk_hashes = NULL WHERE state = 'deleted' AND chunk_hashes IS NOT NULL;
SELECT set_config('spillway.project', '', false);

-- What a sweep looks for, by project.
CREATE INDEX "outputs_expiring" ON "outputs"("project_id", "expires_at") WHERE state = 'ready' AND NOT pinned;
CREATE INDEX "outputs_oldest" ON "outputs"("project_id", "created_at", "id") WHERE state = 'ready' AND NOT pinned;
CREATE INDEX "outputs_deletable" ON "outputs"("project_id", "delete_after") WHERE state = 'deleting';
CREATE INDEX "outputs_staging" ON "outputs"("project_id", "created_at") WHERE state = 'staging';
