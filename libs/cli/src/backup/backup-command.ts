import { stat } from 'node:fs/promises';
import { ConnectionError, type Schemas, type Spillway } from '@spillway/client';
import { splitLines } from '../files/split-lines.js';
import { refuseExisting, writeWholeFile } from '../files/write-whole-file.js';
import { counted } from '../program/counted.js';
import { CommandError, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { causeOf } from '../program/explain-error.js';
import { foundOrNull } from '../program/found-or-null.js';
import { isSet } from '../program/option-values.js';
import { progressBar } from '../program/progress-bar.js';
import { clientOf } from '../program/server-settings.js';
import { version } from '../program/version.js';
import { backupFileVersion, endsThread } from './backup-file.js';
import { BackupWriter } from './backup-writer.js';
import { readProjectSettings } from './project-settings.js';

export const backup: Command = {
  summary: 'Writes a whole project to a file, to restore it elsewhere.',
  operands: [{ name: 'file', required: true, isFile: true }],
  options: { force: { type: 'boolean', summary: 'Replaces a file that exists.' } },
  notes: `The file holds every thread with its messages, summaries, instructions, outputs and media, and the project's
policy, models, webhooks and upstreams, compressed and with a digest. It holds no secrets: no keys, no secrets of
webhooks, no keys of upstreams. Events, usage and the audit log stay with the server. Each thread is written as it
is at one moment. The file appears under its name when it is complete. Scope: admin.`,
  async run({ operands, options, env, print }) {
    const file = operands[0]!;
    if (!isSet(options, 'force')) await refuseExisting(file);
    const spillway = clientOf(env);
    const settings = await readProjectSettings(spillway);
    const { project } = await spillway.call<Schemas['SessionCurrent']>({
      method: 'GET',
      path: '/v1/sessions/current',
    });
    const total = await countThreads(spillway);
    let threads = 0;
    await writeWholeFile(file, async (to) => {
      const writer = new BackupWriter(to);
      try {
        await writer.head({
          type: 'spillway-backup',
          version: backupFileVersion,
          made_at: new Date().toISOString(),
          made_with: version,
          project: project.name,
          settings,
        });
        const show = () => print.progress(progressBar(threads, total, `threads, ${writer.bytes} bytes`));
        for await (const { id } of spillway.threads({ sort: 'id', direction: 'asc', limit: 1000 })) {
          show();
          if (await writeThread(spillway, id, writer, show)) threads++;
        }
        await writer.end();
      } catch (error) {
        writer.abandon();
        throw error;
      }
    });
    print.progress('');
    const { size } = await stat(file);
    if (print.json) return print.value({ file, threads, bytes: size });
    print.note(`Wrote ${file}: ${counted(threads, 'thread')}, ${size} bytes.`);
  },
};

async function countThreads(spillway: Spillway): Promise<number> {
  const counts = await spillway.call<Schemas['ThreadCounts']>({ method: 'GET', path: '/v1/thread-counts' });
  return counts.total;
}

/** False for a thread that was erased meanwhile. */
async function writeThread(
  spillway: Spillway,
  id: string,
  writer: BackupWriter,
  show: () => void,
): Promise<boolean> {
  const stream = await foundOrNull(spillway.thread(id).backUp());
  if (stream === null) return false;
  await writer.head({ type: 'thread', id });
  let isComplete = false;
  try {
    for await (const line of splitLines(stream)) {
      await writer.raw(line);
      isComplete = endsThread(line);
      show();
    }
  } catch (error) {
    if (error instanceof TypeError) throw broken(id, error);
    throw error;
  }
  if (!isComplete) throw broken(id, new ConnectionError('unreachable', 'the answer ended early', 0, null));
  return true;
}

const broken = (id: string, error: Error): CommandError =>
  new CommandError(
    'backup_broken',
    `The backup broke off at the thread ${id}: ${causeOf(error)}.`,
    'No file was written. Call again; the log of the server says more.',
    exitCode.unavailable,
    { cause: error },
  );
