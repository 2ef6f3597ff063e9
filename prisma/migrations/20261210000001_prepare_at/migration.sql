-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "prepare_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "threads_prepare_at_idx" ON "threads"("prepare_at");
