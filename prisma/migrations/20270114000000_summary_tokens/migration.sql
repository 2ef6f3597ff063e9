-- The cap on a day's summary tokens was compared with the sum over attempts, which are deleted with their thread: an
-- erasure freed its part of the cap. The sum of a project outlives its threads.
ALTER TABLE "usage_hours" ADD COLUMN     "summary_tokens" BIGINT NOT NULL DEFAULT 0;

-- Row-level security binds an owner of the tables who is no superuser.
SELECT set_config('spillway.project', '*', true);
INSERT INTO "usage_hours" AS u (project_id, hour, summary_tokens)
SELECT p.id, date_trunc('hour', a.started_at, 'UTC'), sum(a.input_tokens::bigint + a.output_tokens)
FROM "projects" p JOIN "compaction_attempts" a ON a.project_id = p.id
WHERE a.started_at >= date_trunc('day', now(), 'UTC') AND a.input_tokens IS NOT NULL
GROUP BY 1, 2
ON CONFLICT (project_id, hour, model) DO UPDATE SET summary_tokens = excluded.summary_tokens;
