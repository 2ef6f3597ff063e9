import type { Query, Store } from './connection/store.js';

/** Attempts of a thread, newest first, below `before`. */
export const listAttempts = (
  { prisma }: Store,
  of: { projectId: string; threadUid: string },
  before: number,
  limit: number,
) =>
  prisma.compactionAttempt.findMany({
    where: { ...of, epoch: { lt: before } },
    orderBy: { epoch: 'desc' },
    take: limit,
  });

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number];

export type ProjectAttemptRow = AttemptRow & { threadId: string };

/** Outcomes to list; `unsuccessful` is every attempt that should have made a summary and did not. */
export type AttemptFilter =
  | 'compacted'
  | 'prepared'
  | 'proposed'
  | 'unsuccessful'
  | 'failed'
  | 'parked'
  | 'lost'
  | 'lost_cas'
  | 'nothing_to_compact'
  | 'released'
  | 'running';

/** The position before a page of attempts. */
export interface AttemptPosition {
  startedAt: Date;
  threadUid: string;
  epoch: number;
}

const outcomesOf = (filter: AttemptFilter): string[] =>
  filter === 'unsuccessful' ? ['failed', 'parked', 'lost'] : [filter];

/** Attempts of all threads of a project, newest first. */
export const listProjectAttempts = (
  query: Query,
  projectId: string,
  { outcome, after, limit }: { outcome?: AttemptFilter; after?: AttemptPosition; limit: number },
) =>
  query<ProjectAttemptRow>(
    {
      name: 'list-project-attempts',
      text: `SELECT a.project_id AS "projectId", a.thread_uid AS "threadUid", t.id AS "threadId", a.epoch, a.trigger,
          a.outcome, a.reason, a.generation, a.from_seq AS "fromSeq", a.to_seq AS "toSeq", a.method, a.model,
          a.tokens_before AS "tokensBefore", a.tokens_after AS "tokensAfter", a.error,
          a.input_tokens AS "inputTokens", a.output_tokens AS "outputTokens",
          a.cached_input_tokens AS "cachedInputTokens", a.cost_usd AS "costUsd", a.prompt_version AS "promptVersion",
          a.trace_id AS "traceId",
          a.started_at AS "startedAt", a.ended_at AS "endedAt"
        FROM compaction_attempts a JOIN threads t ON t.project_id = a.project_id AND t.uid = a.thread_uid
        WHERE a.project_id = $1 AND ($2::text[] IS NULL OR coalesce(a.outcome, 'running') = ANY($2))
          AND ($3::timestamptz IS NULL OR (a.started_at, a.thread_uid, a.epoch) < ($3, $4::uuid, $5::int))
        ORDER BY a.started_at DESC, a.thread_uid DESC, a.epoch DESC LIMIT $6`,
    },
    [
      projectId,
      outcome ? outcomesOf(outcome) : null,
      after?.startedAt ?? null,
      after?.threadUid ?? null,
      after?.epoch ?? null,
      limit,
    ],
  );

/** The attempts that made these generations. */
export const attemptsOfGenerations = (
  { prisma }: Store,
  of: { projectId: string; threadUid: string },
  generations: number[],
): Promise<AttemptRow[]> =>
  prisma.compactionAttempt.findMany({ where: { ...of, generation: { in: generations } } });
