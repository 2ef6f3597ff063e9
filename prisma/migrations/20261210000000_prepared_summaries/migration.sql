-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "prepared_generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "prepared_state" TEXT;

-- CreateTable
CREATE TABLE "prepared_summaries" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "new_chain" BOOLEAN NOT NULL,
    "from_seq" INTEGER NOT NULL,
    "to_seq" INTEGER NOT NULL,
    "as_of_seq" INTEGER NOT NULL,
    "carried" INTEGER[],
    "cleared_through" INTEGER NOT NULL,
    "fields" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL,
    "max_tokens" INTEGER NOT NULL,
    "tokens_before" INTEGER NOT NULL,
    "tokens_after" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "model" TEXT,
    "instructions" TEXT NOT NULL,
    "settings_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prepared_summaries_pkey" PRIMARY KEY ("project_id","thread_uid","generation")
);


GRANT SELECT, INSERT, UPDATE, DELETE ON "prepared_summaries" TO spillway_app;
ALTER TABLE "prepared_summaries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "prepared_summaries" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "prepared_summaries" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

-- A prepared summary is void as soon as what it was made from changes: another summary took effect, covered text was
-- erased or pinned, or the thread's policy changed. This is the only place that knows: a statement that moves one of
-- these columns needs no line of its own, and none can forget it.
CREATE FUNCTION spillway_void_prepared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.prepared_generation = OLD.prepared_generation THEN
    NEW.prepared_generation := 0;
  END IF;
  IF NEW.prepared_generation = 0 THEN
    NEW.prepared_state := NULL;
  END IF;
  DELETE FROM prepared_summaries p WHERE p.project_id = OLD.project_id AND p.thread_uid = OLD.uid
    AND p.generation = OLD.prepared_generation;
  RETURN NEW;
END $$;
CREATE TRIGGER "void_prepared" BEFORE UPDATE ON "threads" FOR EACH ROW
  WHEN (OLD.prepared_generation <> 0 AND (
    NEW.prepared_generation <> OLD.prepared_generation
    OR NEW.chain <> OLD.chain
    OR NEW.generation <> OLD.generation
    OR NEW.covered_through <> OLD.covered_through
    OR NEW.content_version <> OLD.content_version
    OR NEW.policy <> OLD.policy
    OR NEW.model IS DISTINCT FROM OLD.model
    OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at))
  EXECUTE FUNCTION spillway_void_prepared();

CREATE FUNCTION spillway_tell_prepared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'summary.' || t.prepared_state,
    json_build_object('generation', NEW.generation, 'from_seq', NEW.from_seq, 'to_seq', NEW.to_seq,
      'summary_tokens', NEW.tokens, 'method', NEW.method)::text)
  FROM threads t WHERE t.project_id = NEW.project_id AND t.uid = NEW.thread_uid AND t.prepared_generation = NEW.generation;
  RETURN NULL;
END $$;
CREATE TRIGGER "event_prepared" AFTER INSERT ON "prepared_summaries" FOR EACH ROW EXECUTE FUNCTION spillway_tell_prepared();
