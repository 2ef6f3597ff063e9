import { CommandError, UsageError, type Command, type Environment } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { isSet, textOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import type { Printer } from '../program/printer.js';
import { LeftOut, type ImportedSession } from './imported-session.js';
import { postSession, refuseLarge, type Posted } from './post-session.js';
import { rowOf, sentence, totals } from './import-report.js';
import {
  chooseSessions,
  openSessions,
  sourceOption,
  type ListedSession,
  type SessionFile,
} from './session-file.js';
import { metadataOf, namedThread, threadIdOf } from './session-thread.js';

export const importSession: Command = {
  summary: 'Records a session of another agent as a thread.',
  operands: [{ name: 'file', required: true, isFile: true }],
  options: {
    thread: {
      type: 'string',
      value: 'id',
      summary: 'The thread. Default: made from the source and its session.',
    },
    from: sourceOption,
    conversation: {
      type: 'string',
      value: 'id|title',
      summary:
        'Of an export of ChatGPT or claude.ai: this conversation alone. Default: all, each as a thread.',
    },
    model: {
      type: 'string',
      value: 'name',
      summary: 'The model of the thread, whose window it gets. Default: that of the file.',
    },
    window: {
      type: 'string',
      value: 'n',
      summary: "Tokens of the thread's context window. Default: that of the model.",
    },
    rewind: { type: 'boolean', summary: 'Takes messages out of the context that the file does not have.' },
    'dry-run': { type: 'boolean', summary: 'Reads the file and says what it holds; asks no server.' },
  },
  notes: `The whole file is read and checked first; an error that is found then names its line, and nothing is posted. What only
the server refuses names its message, and how many were recorded before it. Messages have stable ids: the same file
again posts nothing, and a longer one of the same session posts what is new. Of a tree the branch is followed that ended
last. What is left out is counted and named. Each conversation of an export is a thread; with exit code 6 a thread has
other messages in the place of new ones, and all others were imported. A thread without a window of its own or a known
model has one of 8,192 tokens, and a warning says so: --model or --window choose it before the first message. Scopes: messages:write, context:read.`,
  async run({ operands: [name], options, env, print }) {
    const file = await openSessions(name!, textOf(options, 'from'));
    const thread = namedThread(options);
    // Everything is read before anything is posted: an error that a reader finds posts nothing.
    const chosen = await chooseSessions(file, textOf(options, 'conversation'), (session) =>
      refuseLarge(file.name, session),
    );
    if (thread !== undefined && chosen.length > 1)
      throw new UsageError(
        `${file.name} has ${chosen.length} conversations, and --thread names one thread. --conversation chooses one by id or title.`,
      );
    const threadOf = (session: ListedThread) => thread ?? threadIdOf(file, session.sessionId);
    refuseSameThread(file, chosen, threadOf);
    const ids = new Set(chosen.map(({ sessionId }) => sessionId));
    const importing: Importing = {
      file,
      model: textOf(options, 'model') ?? null,
      window: wholeNumberOf(options, 'window', { min: 256, max: 100_000_000 }) ?? null,
      warned: new Set(),
      isDry: isSet(options, 'dry-run'),
      mayRewind: isSet(options, 'rewind'),
      env,
      print,
    };
    const leftOut = new LeftOut();
    let conflicts = 0;
    for await (const session of file.sessions()) {
      if (!ids.has(session.sessionId)) continue;
      if (!(await importOne(session, threadOf(session), importing))) conflicts++;
      leftOut.addAll(session.leftOut);
    }
    if (!print.json) for (const line of totals(file, chosen, leftOut, conflicts)) await print.line(line);
    return conflicts > 0 ? exitCode.conflict : exitCode.done;
  },
};

type ListedThread = Pick<ListedSession, 'sessionId'>;

interface Importing {
  file: SessionFile;
  /** In place of the model of the file. */
  model: string | null;
  window: number | null;
  /** Warnings that were printed: those of an export have the same for each conversation. */
  warned: Set<string>;
  isDry: boolean;
  mayRewind: boolean;
  env: Environment;
  print: Printer;
}

/** Imports and reports one session. False: its thread has other messages, and those of an export after it go on. */
async function importOne(session: ImportedSession, threadId: string, importing: Importing): Promise<boolean> {
  const { file, isDry, mayRewind, env, print } = importing;
  // A conversation that was begun and left: no thread is made for it.
  if (session.messages.length === 0) {
    if (print.json) await print.value(rowOf(file, session, null, null));
    return true;
  }
  let posted: Posted | null = null;
  try {
    if (!isDry)
      posted = await postSession({
        spillway: clientOf(env),
        threadId,
        file: file.name,
        session,
        metadata: metadataOf(file.source, session),
        model: importing.model,
        window: importing.window,
        warn: (detail) => warnOnce(threadId, detail, importing),
        mayRewind,
        env,
        print,
      });
  } catch (error) {
    if (!file.isExport || !(error instanceof CommandError) || error.code !== 'thread_differs') throw error;
    const { code, message, next } = error;
    if (print.json)
      await print.value({ ...rowOf(file, session, threadId, null), error: { code, message, next } });
    else print.note(`spillway: ${message} ${next}`);
    return false;
  }
  if (print.json)
    await print.value({ ...rowOf(file, session, threadId, posted), ...(isDry ? { dry_run: true } : {}) });
  else await print.line(sentence(file, threadId, session, posted));
  return true;
}

/** Says once what probably nobody intended: the folds of a history follow from its window. */
function warnOnce(threadId: string, detail: string, { warned, print }: Importing): void {
  if (warned.has(detail)) return;
  warned.add(detail);
  print.note(`spillway: Thread ${threadId}: ${detail} --model and --window of import set them.`);
}

/** Two conversations in one thread would each rewind the other. */
function refuseSameThread(
  file: SessionFile,
  chosen: readonly ListedSession[],
  threadOf: (session: ListedSession) => string,
): void {
  const seen = new Set<string>();
  for (const session of chosen) {
    const id = threadOf(session);
    if (seen.has(id)) throw new UsageError(`${file.name} has two conversations for the thread ${id}.`);
    seen.add(id);
  }
}
