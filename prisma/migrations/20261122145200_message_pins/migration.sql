-- A pin changes what every context holds, so it is audited.
CREATE TRIGGER "audit_message_pinned" AFTER UPDATE OF pinned ON "messages" FOR EACH ROW
  WHEN (NOT OLD.pinned AND NEW.pinned) EXECUTE FUNCTION spillway_audit('message.pinned', 'thread_uid', 'seq');
CREATE TRIGGER "audit_message_unpinned" AFTER UPDATE OF pinned ON "messages" FOR EACH ROW
  WHEN (OLD.pinned AND NOT NEW.pinned) EXECUTE FUNCTION spillway_audit('message.unpinned', 'thread_uid', 'seq');
