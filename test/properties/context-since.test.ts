import { extractiveSummarizer } from '@spillway/llm';
import {
  appendMessages,
  compactThread,
  contextSince,
  readContext,
  rewindThread,
  serveContext,
  type Runtime,
} from '@spillway/service';
import { SimulatedProcess, Tables } from '@spillway/testing/simulation';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const projectId = '11111111-1111-4111-8111-111111111111';
const of = { projectId, threadId: 'held' };

/** The service over a database in memory, with nothing that fails. */
function service(): Runtime {
  const tables = new Tables(() => Date.now());
  tables.projects.set(projectId, { id: projectId, settingsVersion: 1, policy: '{}' });
  const context = { context_window: 4_000, response_reserve: 300, counter: 'estimate' as const };
  const { rt } = new SimulatedProcess('one', {
    tables,
    policy: { context },
    leaseMs: 60_000,
    hints: null,
    ask: (_process, ask) => new Promise((resolve) => resolve(ask.perform())),
    model: () => extractiveSummarizer,
    onDefect: (error) => expect.unreachable(String(error)),
  });
  return rt;
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('say' as const), words: fc.nat(90) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('call' as const), words: fc.nat(90) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind' as const), by: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('read' as const), client: fc.nat(2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const formats = ['openai', 'anthropic', 'openai'] as const;
const text = (words: number) => 'all work and no play '.repeat(words);

test('a client that replays what it was handed out always holds exactly the full context', async () => {
  let appended = 0;
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const rt = service();
      const held = formats.map(() => ({ fingerprint: '0'.repeat(64), messages: [] as object[] }));
      const read = async (client: number): Promise<void> => {
        const format = formats[client]!;
        const own = held[client]!;
        const { context, change } = await contextSince(rt, { ...of, format }, own.fingerprint, serveContext);
        if ('append' in change) appended++;
        else replayed++;
        own.messages = 'append' in change ? [...own.messages, ...change.append] : [...change.replay];
        own.fingerprint = context.fingerprint;
        expect(own.messages).toEqual((await readContext(rt, { ...of, format })).messages);
      };
      const say = (body: { role: string; [key: string]: unknown }) => ({
        ...{ clientId: null, pinned: false, format: 'openai' as const, body },
      });
      const act = async (one: Step, i: number): Promise<void> => {
        if (one.kind === 'say')
          await appendMessages(rt, { ...of, messages: [say({ role: 'user', content: text(one.words) })] });
        else if (one.kind === 'call') {
          const call = { id: `c${i}`, type: 'function', function: { name: 'run', arguments: '{}' } };
          const asked = say({ role: 'assistant', content: null, tool_calls: [call] });
          await appendMessages(rt, { ...of, messages: [asked] });
          await read(i % formats.length);
          const result = say({ role: 'tool', tool_call_id: call.id, content: text(one.words) });
          await appendMessages(rt, { ...of, messages: [result] });
        } else if (one.kind === 'rewind') {
          const { lastSeq } = await readContext(rt, of);
          await rewindThread(rt, { ...of, toSeq: Math.max(0, lastSeq - one.by) }).catch(refused);
        } else if (one.kind === 'fold') await compactThread(rt, of);
        else await read(one.client);
      };
      await act({ kind: 'say', words: 1 }, -1);
      for (const [i, one] of steps.entries()) await act(one, i);
    }),
    { numRuns: 60 },
  );
  // Both happen, or nothing was shown.
  expect(Math.min(appended, replayed)).toBeGreaterThan(50);
});

/** A target that was rewound itself is refused. */
function refused(error: unknown): void {
  expect(error).toMatchObject({ code: 'message_rewound' });
}
