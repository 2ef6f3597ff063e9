-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "fidelity" JSONB;

-- AlterTable
ALTER TABLE "prepared_summaries" ADD COLUMN     "fidelity" JSONB;

-- An event names what a summary kept in numbers, never what it lost.
CREATE OR REPLACE FUNCTION spillway_tell_summarized() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'context.summarized', json_build_object('generation', NEW.generation,
    'from_seq', NEW.from_seq, 'to_seq', NEW.to_seq, 'summary_tokens', NEW.tokens,
    'preserved_messages', NEW.as_of_seq - NEW.to_seq + cardinality(NEW.carried), 'method', NEW.method,
    'tokens_before', NEW.tokens_before, 'tokens_after', NEW.tokens_after,
    'instructions_kept', (NEW.fidelity->>'instructionsKept')::int,
    'instructions_total', (NEW.fidelity->>'instructionsTotal')::int,
    'facts_kept', (NEW.fidelity->>'factsKept')::int, 'facts_total', (NEW.fidelity->>'factsTotal')::int)::text);
  RETURN NULL;
END $$;
