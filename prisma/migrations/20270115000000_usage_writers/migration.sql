-- A process adds its counts every few seconds, and again when the reply was lost. By the number of its last batch, one that
-- was added already is not added twice.
-- CreateTable
CREATE TABLE "usage_writers" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_writers_pkey" PRIMARY KEY ("project_id","id")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON "usage_writers" TO spillway_app;
ALTER TABLE "usage_writers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "usage_writers" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "usage_writers" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
