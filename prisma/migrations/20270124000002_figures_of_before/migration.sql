-- What the columns and the triggers of 20270124000000 did not count yet. A transaction of its own: they hold no lock
-- that appends would wait for while this reads.
SELECT set_config('spillway.project', '*', true);

-- A snapshot has each new thread together with its row in thread_counts, so the difference is what was there before.
INSERT INTO "thread_counts" (project_id, threads)
SELECT t.project_id, t.threads - coalesce(c.threads, 0)
FROM (SELECT project_id, count(*) AS threads FROM "threads" WHERE deleted_at IS NULL GROUP BY 1) t
LEFT JOIN (SELECT project_id, sum(threads)::bigint AS threads FROM "thread_counts" GROUP BY 1) c USING (project_id)
WHERE t.threads <> coalesce(c.threads, 0);

-- Of attempts that are still there. Those that end from now on are counted as they end.
INSERT INTO "usage_hours" AS u (project_id, hour, summary_attempts, summary_input_tokens, summary_output_tokens,
  summary_cached_input_tokens, summary_cost_nano_usd, summary_unpriced_attempts)
SELECT p.id, date_trunc('hour', a.started_at, 'UTC'), count(*), sum(a.input_tokens), sum(a.output_tokens),
  sum(coalesce(a.cached_input_tokens, 0)), coalesce(round(sum(a.cost_usd) * 1e9), 0)::bigint,
  count(*) FILTER (WHERE a.cost_usd IS NULL)
FROM "projects" p JOIN "compaction_attempts" a ON a.project_id = p.id
WHERE a.input_tokens IS NOT NULL AND a.output_tokens IS NOT NULL
GROUP BY 1, 2
ON CONFLICT (project_id, hour, model) DO UPDATE SET summary_attempts = excluded.summary_attempts,
  summary_input_tokens = excluded.summary_input_tokens, summary_output_tokens = excluded.summary_output_tokens,
  summary_cached_input_tokens = excluded.summary_cached_input_tokens,
  summary_cost_nano_usd = excluded.summary_cost_nano_usd,
  summary_unpriced_attempts = excluded.summary_unpriced_attempts;
