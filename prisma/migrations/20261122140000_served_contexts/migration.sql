-- AlterTable
ALTER TABLE "threads" DROP COLUMN "read_seq",
ADD COLUMN     "measured_ratio" DOUBLE PRECISION NOT NULL DEFAULT 1,
ADD COLUMN     "weighed_version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "served_contexts" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL,
    "prompt_hash" TEXT,
    "frame" TEXT NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "served_contexts_pkey" PRIMARY KEY ("project_id","thread_uid","seq")
);

-- CreateTable
CREATE TABLE "served_prompts" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "served_prompts_pkey" PRIMARY KEY ("project_id","thread_uid","hash")
);

-- What was learned so far is also the newest measurement.
UPDATE "threads" SET "measured_ratio" = "calibration" WHERE "calibration" <> 1;

GRANT SELECT, INSERT, UPDATE, DELETE ON "served_contexts", "served_prompts" TO spillway_app;
ALTER TABLE "served_contexts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "served_contexts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "served_contexts" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "served_prompts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "served_prompts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "served_prompts" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
