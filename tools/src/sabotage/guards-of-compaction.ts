import type { Guard } from './guard.js';

const simulation = {
  file: 'test/simulation/simulation.test.ts',
  name: 'whatever fails, and in whatever order things happen, threads keep their promises and come to rest',
};
const idempotency = 'test/messages/idempotency.test.ts';
const summaries = 'test/compaction/llm-summaries.test.ts';

/** What the use cases and the engine hold to. */
export const guardsOfCompaction: Guard[] = [
  {
    name: 'a thread that cannot shrink is parked, and not looked at for ever',
    file: 'libs/service/src/compaction/compact-thread.ts',
    find: 'return stuck ?',
    replace: 'return stuck && row.attempt < 0 ?',
    test: {
      file: 'test/events/events.test.ts',
      name: 'tells of a compaction that was parked, and of the retry',
    },
  },
  {
    name: 'a thread that kills its workers is parked as poison',
    file: 'libs/service/src/compaction/compact-thread.ts',
    find: 'row.lostAttempts > maxLostAttempts',
    replace: 'row.lostAttempts > 1_000 * maxLostAttempts',
    test: {
      file: 'test/faults/worker-killed.test.ts',
      name: 'F46 a thread whose attempts never report back is parked as poison and retried by hand',
    },
  },
  {
    name: 'answers that can not be used end in a summary by code',
    file: 'libs/service/src/summaries/fallback-summary.ts',
    find: 'row.attempt >= approachCount',
    replace: 'row.attempt >= 1_000 * approachCount',
    test: {
      file: 'test/faults/llm.test.ts',
      name: 'F28 F29 answers that can never be used are asked for differently each time, then code stands in',
    },
  },
  {
    name: 'a refused key parks the thread',
    file: 'libs/service/src/compaction/end-attempt.ts',
    find: "if (failure === 'auth')",
    replace: "if (failure === 'auth' && row.attempt < 0)",
    test: { file: summaries, name: 'a refused key parks the thread instead of asking again and again' },
  },
  {
    name: 'a provider that asks for time gets it',
    file: 'libs/llm/src/provider-gate.ts',
    find: 'const asked = error.retryAfterMs ?? 0;',
    replace: 'const asked = 0;',
    test: { file: summaries, name: 'Retry-After is waited for' },
  },
  {
    name: 'a summary is shorter than what it stands for',
    file: 'libs/service/src/summaries/summarize-range.ts',
    find: 'if (!isTooLong(tokens, plan, plan.summaryTokens))',
    replace: 'if (tokens > 0)',
    test: simulation,
  },
  {
    name: 'no attempt asks the model what an earlier one asked',
    file: 'libs/llm/src/approach.ts',
    find: 'Math.max(attempt, 1)',
    replace: 'Math.min(attempt, 1)',
    test: { file: 'libs/llm/src/approach.test.ts', name: 'each of the first attempts asks another way' },
  },
  {
    name: 'an append of known and new messages holds the lock of its thread',
    file: 'libs/store/src/sql/threads/lock-thread.ts',
    find: ' FOR UPDATE`',
    replace: '`',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a thread that is locked by one transaction is not to be had by another',
    },
  },
  {
    name: 'other content under a known id is refused',
    file: 'libs/service/src/messages/append-again.ts',
    find: 'if (recorded.equals(posted))',
    replace: 'if (recorded.length === posted.length)',
    test: {
      file: idempotency,
      name: 'other content under a known id is a conflict and writes nothing of the batch',
    },
  },
  {
    name: 'an append that met a known id in the same instant looks again',
    file: 'libs/service/src/messages/append-messages.ts',
    find: 'if (!isUniqueViolation(error))',
    replace: 'if (error !== null)',
    test: simulation,
  },
  {
    name: 'a call without a result is answered for the tool',
    file: 'libs/engine/src/context/show-unit.ts',
    find: 'ids.map((id) => (',
    replace: '[].map((id) => (',
    test: simulation,
  },
  {
    name: 'a result that answers nothing is shown as a note',
    file: 'libs/engine/src/units/grouping.ts',
    find: '{ ...emptyStep(), notes: [entry] }',
    replace: '{ ...emptyStep(), members: [entry] }',
    test: simulation,
  },
  {
    name: 'a context is within its limit',
    file: 'libs/engine/src/context/fit.ts',
    find: 'if (whole <= limit)',
    replace: 'if (whole <= 2 * limit)',
    test: {
      file: 'libs/engine/src/context/fit.test.ts',
      name: 'leaves out more when the notes about two gaps do not fit either',
    },
  },
  {
    name: 'another format may take more: then less is shown',
    file: 'libs/engine/src/context/assemble.ts',
    find: 'if (context.tokens.total <= input.limit)',
    replace: 'if (context.tokens.total >= 0)',
    test: {
      file: 'test/formats/formats.test.ts',
      name: 'a format that takes more than another shows less, and stays within the tokens asked for',
    },
  },
  {
    name: 'what the summary stands for goes on from the one before',
    file: 'libs/engine/src/compaction/plan.ts',
    find: 'fromSeq: input.coveredThrough + 1',
    replace: 'fromSeq: Math.max(1, input.coveredThrough)',
    test: simulation,
  },
  {
    name: 'pinned messages are carried',
    file: 'libs/engine/src/compaction/plan.ts',
    find: 'isPinned(unit) || kept.has(unit)',
    replace: 'kept.has(unit)',
    test: {
      file: 'libs/engine/src/compaction/plan.test.ts',
      name: 'carries pinned messages, and the newest user message when it is covered',
    },
  },
  {
    name: 'a summary cannot close the block that holds it',
    file: 'libs/engine/src/compaction/summary.ts',
    find: ".replace(/<(?=\\s*(?:\\/\\s*)?(?:conversation_summary|standing_instructions))/gi, '&lt;')",
    replace: '',
    test: {
      file: 'libs/engine/src/context/assemble.test.ts',
      name: 'a summary cannot close its own block',
    },
  },
  {
    name: 'what may be an instruction retires none that holds',
    file: 'libs/engine/src/instructions/replacement/replaces.ts',
    find: 'return lifts(newer, older)',
    replace: 'return inCommon(gist.matter, older.gist.matter).shared > 0',
    test: {
      file: 'libs/engine/src/instructions/states.test.ts',
      name: 'retires nothing that holds beside it',
    },
  },
  {
    name: 'a word of change retires nothing that the newer one is not about',
    file: 'libs/engine/src/instructions/replacement/replaces.ts',
    find: 'score >= minScoreByRules',
    replace: 'score > -Infinity',
    test: {
      file: 'libs/engine/src/instructions/states.test.ts',
      name: 'a rule ends nothing where the words of both speak against it: %s / %s',
    },
  },
  {
    name: 'what may be an instruction takes nothing of the minimum gain',
    file: 'libs/engine/src/compaction/plan.ts',
    find: 'Math.floor(saved - minGain(input))',
    replace: 'Math.floor(saved)',
    test: {
      file: 'libs/engine/src/compaction/plan.test.ts',
      name: 'takes nothing of what a compaction has to reclaim',
    },
  },
  {
    name: 'a thread that stops being parked is due from that moment',
    file: 'libs/store/src/sql/compaction/due-since.ts',
    find: 'CASE WHEN ${unparks} THEN now() ELSE coalesce(${t}.requested_at, now()) END',
    replace:
      'CASE WHEN ${unparks} THEN coalesce(${t}.requested_at, now()) ELSE coalesce(${t}.requested_at, now()) END',
    test: {
      file: 'test/compaction/due-again.test.ts',
      name: 'a parked thread is due again from the moment on in which %s',
    },
  },
  {
    name: 'a new policy unparks more threads than one statement does',
    file: 'libs/store/src/sql/compaction/unpark.ts',
    find: 'while (count === batch)',
    replace: 'while (count > batch)',
    test: {
      file: 'test/compaction/unpark.test.ts',
      name: 'a new policy unparks all threads of its project, and hands a few of them on without their texts',
    },
  },
  {
    name: 'a compaction that a change overtook is repeated at once',
    file: 'libs/service/src/compaction/end-attempt.ts',
    find: "if (now?.state === 'due')",
    replace: "if (now?.state === 'running')",
    test: {
      file: 'test/compaction/overtaken.test.ts',
      name: 'a compaction that a pin overtakes is repeated at once, and not with the next poll',
    },
  },
  {
    name: 'a compaction that is overtaken again and again waits for the poll',
    file: 'libs/service/src/compaction/end-attempt.ts',
    find: 'maxRepeatedAtOnce = 5',
    replace: 'maxRepeatedAtOnce = 5000',
    test: {
      file: 'test/compaction/overtaken.test.ts',
      name: 'one that is overtaken again and again waits for the poll in the end',
    },
  },
  {
    name: 'a worker that another one overtook leaves what that one archived',
    file: 'libs/service/src/compaction/archive-context.ts',
    find: 'now.generation !== row.generation',
    replace: 'now.generation < 0',
    test: {
      file: 'test/compaction/archive-overtaken.test.ts',
      name: 'a worker whose thread another one took and folded leaves each message in the archive once',
    },
  },
  {
    name: 'a thread that cannot be claimed keeps no other one waiting',
    file: 'libs/service/src/compaction/compact-fairly.ts',
    find: 'if (isOutage(error))',
    replace: 'if (error)',
    test: {
      file: 'test/compaction/unclaimable.test.ts',
      name: 'a thread that Postgres refuses to give to a worker does not keep the threads behind it waiting',
    },
  },
  {
    name: 'the tokens of messages that are appended beside a withdrawal stay counted',
    file: 'libs/store/src/sql/compaction/withdraw.ts',
    find: 'greatest(t.live_tokens - $6::int + $8::int, $8::int)',
    replace: 'greatest($8::int, least($6::int, 0))',
    test: {
      file: 'test/races/erasures.test.ts',
      name: 'the tokens of a message that is appended while the summary is erased with another one are counted',
    },
  },
  {
    name: 'a rebuild keeps what a caller wrote',
    file: 'libs/service/src/compaction/plan-fold.ts',
    find: 'callers ? await planOnto',
    replace: 'callers && row.generation < 0 ? await planOnto',
    test: {
      file: 'test/steering/own-summary-stays.test.ts',
      name: 'a pin of a message that a caller’s own summary covers shows the message and keeps every word',
    },
  },
  {
    name: 'a summary in a new chain names the one of a caller that it goes on from',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: '$34::jsonb, $38::int,',
    replace: '$34::jsonb, nullif($38::int, $38::int),',
    test: {
      file: 'test/steering/own-summary-stays.test.ts',
      name: 'a rebuild of what a model folded onto a caller’s summary goes on from it, and so does a pin',
    },
  },
  {
    name: 'a withdrawal puts the summary of a caller in place again',
    file: 'libs/service/src/summaries/withdraw-summaries.ts',
    find: 'if (done === undefined || done.isDue ||',
    replace: "if (done === undefined || done.isDue || threadId !== '' ||",
    test: {
      file: 'test/steering/own-summary-stays.test.ts',
      name: 'a caller’s summary is active again when what was folded onto it is withdrawn',
    },
  },
  {
    name: 'pins of all that a caller wrote about are shown at once',
    file: 'libs/engine/src/compaction/plan.ts',
    find: 'if (!input.isWritten) {',
    replace: 'if (input.budget.limit > 0) {',
    test: {
      file: 'test/steering/own-summary-stays.test.ts',
      name: 'pins of all that a caller’s own summary covers show the messages at once, and it stays word for word',
    },
  },
];
