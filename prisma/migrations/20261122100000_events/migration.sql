-- CreateTable
CREATE TABLE "events" (
    "project_id" UUID NOT NULL,
    "xid" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "thread_uid" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("project_id","xid","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "types" TEXT[],
    "secret" TEXT NOT NULL,
    "after_xid" BIGINT NOT NULL,
    "after_id" BIGINT NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "project_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "position" BIGSERIAL NOT NULL,
    "message_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_until" TIMESTAMPTZ(3),
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "last_status" INTEGER,
    "last_error" TEXT,
    "last_response" TEXT,
    "last_ms" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("project_id","webhook_id","id")
);

-- CreateIndex
CREATE INDEX "events_project_id_thread_uid_id_idx" ON "events"("project_id", "thread_uid", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_project_id_webhook_id_position_idx" ON "webhook_deliveries"("project_id", "webhook_id", "position");

-- CreateIndex
CREATE INDEX "webhook_deliveries_project_id_webhook_id_state_next_attempt_idx" ON "webhook_deliveries"("project_id", "webhook_id", "state", "next_attempt_at");


GRANT SELECT, INSERT, DELETE ON "events" TO spillway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON "webhooks", "webhook_deliveries" TO spillway_app;
GRANT USAGE ON SEQUENCE "events_id_seq", "webhook_deliveries_position_seq" TO spillway_app;

ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "events" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "events" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "webhooks" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "webhooks" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "webhooks" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "webhook_deliveries" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "webhook_deliveries" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- What happens is told by the statement that does it: there is no doing one without the other. An event holds ids,
-- numbers and words of ours, never what a thread says. The number of its transaction is kept beside its own, because a
-- sequence hands out a lower id that may become visible later: readers stop below the oldest transaction under way.
CREATE FUNCTION spillway_tell(project uuid, thread uuid, type text, data text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (project_id, xid, thread_uid, type, data)
  VALUES (project, pg_current_xact_id()::text::bigint, thread, type, data)
$$;

-- The hot path: one row for each call that appends. Written as one plain INSERT, which costs the least.
CREATE FUNCTION spillway_tell_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (project_id, xid, thread_uid, type, data)
  VALUES (NEW.project_id, pg_current_xact_id()::text::bigint, NEW.uid, 'message.recorded',
    format('{"from_seq":%s,"to_seq":%s,"live_tokens":%s}', CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE OLD.next_seq END,
      NEW.next_seq - 1, NEW.live_tokens));
  RETURN NULL;
END $$;
CREATE TRIGGER "event_1_recorded_first" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.next_seq > 1) EXECUTE FUNCTION spillway_tell_recorded();
CREATE TRIGGER "event_1_recorded" AFTER UPDATE OF next_seq ON "threads" FOR EACH ROW
  WHEN (NEW.next_seq > OLD.next_seq) EXECUTE FUNCTION spillway_tell_recorded();

CREATE FUNCTION spillway_tell_overflow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.uid, 'context.overflow', json_build_object('estimated_tokens', NEW.live_tokens,
    'context_limit', NEW.limit_tokens, 'trigger_tokens', NEW.trigger_tokens)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_2_overflow_first" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.needs_compaction AND NEW.live_tokens >= NEW.trigger_tokens) EXECUTE FUNCTION spillway_tell_overflow();
CREATE TRIGGER "event_2_overflow" AFTER UPDATE OF needs_compaction ON "threads" FOR EACH ROW
  WHEN (NEW.needs_compaction AND NOT OLD.needs_compaction AND NEW.live_tokens >= NEW.trigger_tokens)
  EXECUTE FUNCTION spillway_tell_overflow();

CREATE FUNCTION spillway_tell_thread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.uid, TG_ARGV[0], '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER "event_3_erased" AFTER UPDATE OF deleted_at ON "threads" FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION spillway_tell_thread('thread.erased');
CREATE TRIGGER "event_3_created" AFTER INSERT ON "threads" FOR EACH ROW
  WHEN (NEW.next_seq = 1) EXECUTE FUNCTION spillway_tell_thread('thread.changed');
-- Settings, a request, a retry, an erased message, a withdrawn or restored summary, an attempt that ended without a
-- summary and without a failure: whatever else changes how a thread stands.
CREATE TRIGGER "event_3_changed" AFTER UPDATE ON "threads" FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL AND NEW.next_seq = OLD.next_seq AND (
    NEW.policy_version <> OLD.policy_version
    OR NEW.content_version <> OLD.content_version
    OR NEW.request IS NOT NULL AND NEW.request IS DISTINCT FROM OLD.request
    OR NEW.park_reason IS NULL AND OLD.park_reason IS NOT NULL
    OR NEW.next_attempt_at IS NULL AND OLD.next_attempt_at IS NOT NULL AND NEW.lease_epoch = OLD.lease_epoch AND NEW.generation = OLD.generation
    OR NEW.lease_until IS NULL AND OLD.lease_until IS NOT NULL AND NEW.generation = OLD.generation AND NEW.park_reason IS NULL
      AND NEW.next_attempt_at IS NULL))
  EXECUTE FUNCTION spillway_tell_thread('thread.changed');

CREATE FUNCTION spillway_tell_output() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, TG_ARGV[0], json_build_object('output_id', NEW.id, 'seq', NEW.seq,
    'bytes', NEW.bytes, 'lines', NEW.lines, 'tokens', NEW.tokens)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_offloaded" AFTER UPDATE OF state ON "outputs" FOR EACH ROW
  WHEN (OLD.state = 'staging' AND NEW.state = 'ready' AND NEW.thread_uid IS NOT NULL)
  EXECUTE FUNCTION spillway_tell_output('output.offloaded');
-- From here on nobody can read it, its bytes go after a grace period.
CREATE TRIGGER "event_deleted" AFTER UPDATE OF state ON "outputs" FOR EACH ROW
  WHEN (OLD.state IN ('ready', 'corrupt') AND NEW.state IN ('deleting', 'deleted') AND NEW.thread_uid IS NOT NULL)
  EXECUTE FUNCTION spillway_tell_output('output.deleted');

CREATE FUNCTION spillway_tell_started() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'compaction.started',
    json_build_object('attempt', NEW.epoch, 'trigger', NEW.trigger)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_started" AFTER INSERT ON "compaction_attempts" FOR EACH ROW EXECUTE FUNCTION spillway_tell_started();

CREATE FUNCTION spillway_tell_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, CASE NEW.outcome WHEN 'parked' THEN 'compaction.parked' ELSE 'compaction.failed' END,
    json_build_object('attempt', NEW.epoch, 'reason', coalesce(NEW.reason, NEW.outcome))::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_ended" AFTER UPDATE OF outcome ON "compaction_attempts" FOR EACH ROW
  WHEN (OLD.outcome IS NULL AND NEW.outcome IN ('failed', 'lost', 'parked')) EXECUTE FUNCTION spillway_tell_ended();

CREATE FUNCTION spillway_tell_summarized() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'context.summarized', json_build_object('generation', NEW.generation,
    'from_seq', NEW.from_seq, 'to_seq', NEW.to_seq, 'summary_tokens', NEW.tokens,
    'preserved_messages', NEW.as_of_seq - NEW.to_seq + cardinality(NEW.carried), 'method', NEW.method,
    'tokens_before', NEW.tokens_before, 'tokens_after', NEW.tokens_after)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_summarized" AFTER INSERT ON "summaries" FOR EACH ROW EXECUTE FUNCTION spillway_tell_summarized();

-- Who changed where events are sent is audited.
CREATE TRIGGER "audit_webhook_created" AFTER INSERT ON "webhooks" FOR EACH ROW EXECUTE FUNCTION spillway_audit('webhook.created', 'id', 'url');
CREATE TRIGGER "audit_webhook_changed" AFTER UPDATE OF url, types ON "webhooks" FOR EACH ROW
  WHEN (OLD.url <> NEW.url OR OLD.types <> NEW.types) EXECUTE FUNCTION spillway_audit('webhook.changed', 'id', 'url');
CREATE TRIGGER "audit_webhook_disabled" AFTER UPDATE OF disabled_at ON "webhooks" FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('webhook.disabled', 'id', 'disabled_reason');
CREATE TRIGGER "audit_webhook_enabled" AFTER UPDATE OF disabled_at ON "webhooks" FOR EACH ROW
  WHEN (OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) EXECUTE FUNCTION spillway_audit('webhook.enabled', 'id');
CREATE FUNCTION spillway_audit_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (project_id, actor, action, target)
  VALUES (OLD.project_id, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), TG_ARGV[0], OLD.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_webhook_removed" AFTER DELETE ON "webhooks" FOR EACH ROW EXECUTE FUNCTION spillway_audit_removal('webhook.removed');
