-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "hold" TEXT,
ADD COLUMN     "hold_tokens" INTEGER;

-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "holds" TEXT;

-- Few messages of a thread are held.
CREATE INDEX "messages_held" ON "messages" ("project_id", "thread_uid") WHERE hold IS NOT NULL;

-- A hold changes what later contexts show, so it is audited.
CREATE TRIGGER "audit_message_kept" AFTER UPDATE OF hold ON "messages" FOR EACH ROW
  WHEN (NEW.hold IN ('keep', 'whole') AND NEW.hold IS DISTINCT FROM OLD.hold) EXECUTE FUNCTION spillway_audit('message.kept', 'thread_uid', 'seq');
CREATE TRIGGER "audit_message_released" AFTER UPDATE OF hold ON "messages" FOR EACH ROW
  WHEN (NEW.hold = 'release' AND NEW.hold IS DISTINCT FROM OLD.hold) EXECUTE FUNCTION spillway_audit('message.released', 'thread_uid', 'seq');
