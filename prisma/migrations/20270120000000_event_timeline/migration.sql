-- Recovery to an earlier moment keeps the identifier of a cluster, and begins another timeline.
-- AlterTable
ALTER TABLE "event_epochs" ADD COLUMN "timeline" INTEGER;
