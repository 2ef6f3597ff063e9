-- A caller, and a model that continues the agent's conversation, see messages after those that they summarize.
-- AlterTable
ALTER TABLE "summaries" ADD COLUMN "seen_seq" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "prepared_summaries" ADD COLUMN "seen_seq" INTEGER NOT NULL DEFAULT 0;

UPDATE "summaries" SET seen_seq = as_of_seq WHERE method = 'caller' AND restored_from IS NULL;
