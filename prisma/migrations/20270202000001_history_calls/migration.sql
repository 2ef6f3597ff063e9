-- Calls whose thread is found by their conversation, without those that begin one, and those that were found in no
-- thread. No row is rewritten.
SET LOCAL lock_timeout = '3s';
ALTER TABLE "usage_hours"
    ADD COLUMN "history_calls" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "history_calls_not_found" BIGINT NOT NULL DEFAULT 0;
