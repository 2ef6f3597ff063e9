import type { Thread } from '@spillway/client';
import { onlySession, openSessions, sourceOption } from '../import/session-file.js';
import { namedThread } from '../import/session-thread.js';
import { CommandError, type Call, type Command } from '../program/command.js';
import { inColumns } from '../program/columns.js';
import { counted } from '../program/counted.js';
import { exitCode } from '../program/exit-code.js';
import { foundOrNull } from '../program/found-or-null.js';
import { isSet, textOf, wholeNumberOf } from '../program/option-values.js';
import { progressBar } from '../program/progress-bar.js';
import { clientOf } from '../program/server-settings.js';
import { checkNames } from './context-checks.js';
import { replaySession, type Replayed } from './replay-session.js';

export const replay: Command = {
  summary: 'Replays a recorded conversation and says what Spillway would have sent.',
  operands: [{ name: 'file', required: true, isFile: true }],
  options: {
    thread: { type: 'string', value: 'id', summary: 'A new thread. Default: replay- and the time.' },
    from: sourceOption,
    conversation: {
      type: 'string',
      value: 'id|title',
      summary: 'The conversation of an export of ChatGPT or claude.ai.',
    },
    window: {
      type: 'string',
      value: 'n',
      summary: "Tokens of the model's window. Default: that of the model.",
    },
    model: { type: 'string', value: 'name', summary: 'The model of the thread. Default: that of the file.' },
    erase: { type: 'boolean', summary: 'Erases the thread at the end.' },
  },
  notes: `Reads the files that import reads. Posts each message as an agent would, and reads the context before each answer of
the model, of which none is called. Checks every context: it is within its budget, it begins with the one before it
unless a fold is in between, and every tool call has its result. Prints the input tokens of all calls with all
messages each time, and with the contexts. A call waits at most two seconds for a fold in progress. Exit code 1: a
check failed. Scopes: messages:write, context:read; --erase also takes threads:manage.`,
  async run(call) {
    const { operands, options, env, print } = call;
    const file = operands[0]!;
    const opened = await openSessions(file, textOf(options, 'from'));
    const { source: from } = opened;
    const session = await onlySession(opened, textOf(options, 'conversation'));
    const window = wholeNumberOf(options, 'window', { min: 256, max: 100_000_000 });
    const id = namedThread(options) ?? `replay-${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`;
    const thread = clientOf(env).thread(id, { format: session.format });
    await refuseTaken(thread);
    const model = textOf(options, 'model') ?? session.model;
    const { context_window } = await thread.put({
      metadata: { replayed_from: from },
      ...(model === null ? {} : { model }),
      ...(session.system === null ? {} : { system: session.system }),
      ...(window === undefined ? {} : { policy: { context: { context_window: window } } }),
    });
    const total = session.messages.length;
    const replayed = await replaySession(thread, session, {
      file,
      env,
      show: (posted, { tokens }) =>
        print.progress(`${progressBar(posted, total, 'messages')}, context of ${tokens.total} tokens`),
    });
    print.progress('');
    if (isSet(options, 'erase')) await thread.erase();
    await report(call, { source: from, thread: id, window: context_window, ...replayed });
    return replayed.failures.length > 0 ? exitCode.failed : exitCode.done;
  },
};

async function refuseTaken(thread: Thread): Promise<void> {
  if ((await foundOrNull(thread.get())) === null) return;
  throw new CommandError(
    'thread_exists',
    `There is a thread ${thread.id} already.`,
    'A replay begins with an empty thread: give --thread another id.',
    exitCode.conflict,
  );
}

type Report = Replayed & { source: string; thread: string; window: number };

async function report({ print }: Call, replayed: Report): Promise<void> {
  if (print.json) return print.value(replayed);
  const { tokens_without: without, tokens_with: sent, failures } = replayed;
  const share = without === 0 ? '' : ` (${Math.round((sent / without) * 100)} % of all)`;
  const rows = [
    ['Thread', replayed.thread],
    ['Messages', `${replayed.messages} of ${replayed.source}`],
    ['Calls of the model', String(replayed.model_calls)],
    [
      'Input tokens without Spillway',
      `${without}; calls over the window of ${replayed.window}: ${replayed.over_window}`,
    ],
    ['Input tokens with Spillway', `${sent}${share}`],
    ['Folds', String(replayed.folds)],
    ['Degraded contexts', String(replayed.degraded)],
    ...checkNames.map((name) => {
      const failed = failures.filter(({ check }) => check === name).length;
      return [`Check of ${name}`, failed === 0 ? 'held' : `failed ${counted(failed, 'time')}`];
    }),
  ];
  for (const line of inColumns(rows)) await print.line(line);
  for (const { check, at, what } of failures.slice(0, 10))
    await print.line(`Failed: ${check}, context after message ${at}: ${what}.`);
}
