import { rowsOf } from '@spillway/testing';

/**
 * Writes threads straight into the database, as a busy project has them: models, metadata, some with a long system
 * prompt, some due, parked or backing off, a third compacted. Their ids are thread-000001 and on.
 */
export async function writeManyThreads(databaseUrl: string, threads: number): Promise<void> {
  await rowsOf(
    databaseUrl,
    `INSERT INTO threads (project_id, uid, id, model, system, metadata, context_window, limit_tokens, trigger_tokens,
       next_seq, live_tokens, total_tokens, output_count, generation, last_generation, covered_through,
       needs_compaction, requested_at, next_attempt_at, park_reason, last_error, created_at, updated_at)
     SELECT p.id, gen_random_uuid(), 'thread-' || lpad(n::text, 6, '0'),
       (ARRAY['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-pro', NULL])[1 + n % 5],
       CASE WHEN n % 10 = 0 THEN (SELECT string_agg(md5(n::text || i), ' ') FROM generate_series(1, 120) i) END,
       format('{"user":"user-%s","agent":"%s"}', n % 5000, (ARRAY['coder', 'support', 'research'])[1 + n % 3]),
       128000, 123904, 102400, 2 + n * 7919 % 900, n::bigint * 7919 % 123904, 5 * (n::bigint * 7919 % 123904), n % 9,
       (n % 3 = 0)::int, (n % 3 = 0)::int, CASE WHEN n % 3 = 0 THEN 1 ELSE 0 END,
       n % 97 = 0, CASE WHEN n % 97 = 0 THEN now() END,
       CASE WHEN n % 194 = 0 THEN now() + interval '1 hour' END,
       CASE WHEN n % 400 = 1 THEN 'no_progress' END, CASE WHEN n % 194 = 0 THEN 'provider_unavailable' END,
       now() - n * interval '11 seconds', now() - (n::bigint * 104729 % 1000003) * interval '1 second'
     FROM projects p, generate_series(1, $1::int) n WHERE p.name = 'default'`,
    [threads],
  );
  await rowsOf(
    databaseUrl,
    `INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
       carried, fields, text, tokens, tokens_before, tokens_after, method, created_at)
     SELECT project_id, uid, 1, 1, 1, 1, 1, 1, '{}', '{}', repeat('What was agreed so far. ', 40), 240, 90000, 20000,
       'extractive', updated_at
     FROM threads WHERE generation = 1 AND id LIKE 'thread-%'`,
  );
  await rowsOf(databaseUrl, 'ANALYZE threads, summaries');
}
