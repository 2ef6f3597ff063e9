-- AlterTable
ALTER TABLE "compaction_attempts" ADD COLUMN "trace_id" TEXT;
