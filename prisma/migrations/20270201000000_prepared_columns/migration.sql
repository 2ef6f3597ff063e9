-- The trigger that voids a prepared summary names its columns: Postgres reads the condition of a trigger anew for each
-- statement that may fire it, and an append, which changes none of these, paid a twentieth of its CPU for that. A column
-- changes only where a statement sets it, as there is no other trigger before an update of "threads". If there is one
-- some day, what it changes is not seen by this one.
-- A long reader of threads, such as a dump, makes this migration fail, and not the appends that would queue behind it.
SET LOCAL lock_timeout = '3s';
DROP TRIGGER "void_prepared" ON "threads";
CREATE TRIGGER "void_prepared"
  BEFORE UPDATE OF prepared_generation, chain, generation, covered_through, content_version, policy, model, deleted_at
  ON "threads" FOR EACH ROW
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
