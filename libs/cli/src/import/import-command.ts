import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { refuseFile } from '../files/refuse-file.js';
import { UsageError, type Command } from '../program/command.js';
import { isSet, textOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { terminalText } from '../program/terminal-text.js';
import type { ImportedSession } from './imported-session.js';
import { postSession, type Posted } from './post-session.js';
import { readSource } from './sources/source-file.js';
import { detectSource, readSession, sourceNames } from './sources/sources.js';

export const importSession: Command = {
  summary: 'Records a session of another agent as a thread.',
  operands: [{ name: 'file', required: true, isFile: true }],
  options: {
    thread: {
      type: 'string',
      value: 'id',
      summary: 'The thread. Default: made from the source and its session.',
    },
    from: {
      type: 'string',
      choices: sourceNames,
      summary: 'The source. Default: recognized by its content.',
    },
    rewind: { type: 'boolean', summary: 'Takes messages out of the context that the file does not have.' },
    'dry-run': { type: 'boolean', summary: 'Reads the file and says what it holds; asks no server.' },
  },
  notes: `The whole file is read and checked first; an error names its line, and then nothing is posted. Messages have stable
ids: the same file again posts nothing, and a longer one of the same session posts what is new. Of a tree the branch
is followed that ended last. What is left out is counted and named. Scopes: messages:write, context:read.`,
  async run({ operands: [file], options, env, print }) {
    const source = readSource(
      file!,
      await readFile(file!).catch((error: unknown) => refuseFile(error, file!)),
    );
    const from = textOf(options, 'from') ?? detectSource(source);
    const session = readSession(from, source);
    const threadId = textOf(options, 'thread') ?? defaultThread(from, session, file!);
    if (!/^[A-Za-z0-9._:@-]{1,200}$/.test(threadId))
      throw new UsageError('--thread must be 1-200 characters of A-Z a-z 0-9 . _ : - @.');
    const isDry = isSet(options, 'dry-run');
    const posted: Posted | null = isDry
      ? null
      : await postSession({
          spillway: clientOf(env),
          threadId,
          file: file!,
          session,
          metadata: metadataOf(from, session),
          mayRewind: isSet(options, 'rewind'),
          env,
          print,
        });
    const { messages, leftOut } = session;
    if (print.json)
      return print.value({
        source: from,
        thread: threadId,
        messages: messages.length,
        ...(posted ?? { dry_run: true }),
        left_out: leftOut.asObject(),
      });
    await print.line(sentence(from, threadId, messages.length, posted));
    const left = leftOut.asText();
    if (left !== '') await print.line(terminalText(`Left out: ${left}.`));
  },
};

const defaultThread = (source: string, { sessionId }: ImportedSession, file: string): string =>
  `${source}-${sessionId ?? basename(file, extname(file))}`.replace(/[^A-Za-z0-9._:@-]+/g, '-').slice(0, 200);

/** When the session began is known if its first message says so, and when it ended from the last time in it. */
function metadataOf(source: string, { sessionId, messages }: ImportedSession): Record<string, string> {
  const times = messages.flatMap(({ at }) => at ?? []).sort();
  return {
    imported_from: source,
    ...(sessionId === null ? {} : { imported_session: sessionId.slice(0, 512) }),
    ...(messages[0]?.at ? { session_began: times[0]! } : {}),
    ...(times.length === 0 ? {} : { session_ended: times.at(-1)! }),
  };
}

function sentence(source: string, thread: string, total: number, posted: Posted | null): string {
  if (!posted) return `${total} messages of ${source} would be recorded in the thread ${thread}.`;
  const parts = [
    `Recorded ${posted.recorded} of ${total} messages of ${source} in the thread ${thread}`,
    ...(posted.known > 0 ? [`${posted.known} were there`] : []),
    ...(posted.rewound > 0 ? [`${posted.rewound} of an earlier state were rewound`] : []),
  ];
  return `${parts.join('; ')}.`;
}
