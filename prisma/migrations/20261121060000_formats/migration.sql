-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "calibration" DOUBLE PRECISION NOT NULL DEFAULT 1,
ADD COLUMN     "files_removed_at" TIMESTAMPTZ(3),
ADD COLUMN     "tools" TEXT;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "format" TEXT NOT NULL DEFAULT 'openai',
ADD COLUMN     "images" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "media" TEXT;

-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "cleared_through" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "outputs" ADD COLUMN     "chunk_hashes" BYTEA,
ADD COLUMN     "place" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "media" (
    "project_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "extension" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "deleting" BOOLEAN NOT NULL DEFAULT false,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("project_id","sha256")
);

-- CreateTable
CREATE TABLE "media_uses" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "media_uses_pkey" PRIMARY KEY ("project_id","thread_uid","sha256")
);

-- CreateIndex
CREATE INDEX "media_uses_project_id_sha256_idx" ON "media_uses"("project_id", "sha256");

-- DropIndex
DROP INDEX "messages_project_id_thread_uid_client_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "messages_client_id_thread_uid_project_id_key" ON "messages"("client_id", "thread_uid", "project_id");
