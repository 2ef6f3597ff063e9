import { checkBackup, type CheckedBackup } from '../backup/backup-file.js';
import { counted } from '../program/counted.js';
import { CommandError, type Call, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { refuseLost } from '../program/explain-error.js';
import { untilInterrupted } from '../program/interruption.js';
import { isSet } from '../program/option-values.js';
import { progressBar } from '../program/progress-bar.js';
import { clientOf } from '../program/server-settings.js';
import { restorePolicy, restoreReceivers, type RestoredSettings } from './restore-settings.js';
import { restoreThreads, takenIds, type RestoredThreads } from './restore-threads.js';

export const restore: Command = {
  summary: 'Restores a project from the file of a backup.',
  operands: [{ name: 'file', required: true, isFile: true }],
  options: {
    'dry-run': { type: 'boolean', summary: 'Checks the file and says what it holds; asks no server.' },
    'skip-existing': { type: 'boolean', summary: 'Leaves threads alone that are there already.' },
    'threads-only': { type: 'boolean', summary: 'Leaves the settings of the project as they are.' },
  },
  notes: `The whole file is checked first: one that is cut off or altered is refused, and nothing is restored. Each thread is
restored whole or not at all, with the seqs, summaries and outputs that it had, and its context is compared with that
of the backup. Threads and settings that are there already are never changed: another policy, or other windows or
prices of a model, are refused with exit code 6; webhooks and upstreams stay as they are. Webhooks get new secrets,
which are printed, also when the command fails or is interrupted. What has to be done by hand is named at the end. Exit
code 1: the server refused a thread, as one that was erased since, or a context differs, because of other settings of
the server.
Scope: admin.`,
  async run(call) {
    const { operands, options, env, print } = call;
    const file = operands[0]!;
    const checked = await checkBackup(file, (bytes) => print.progress(`checking, ${bytes} bytes`));
    print.progress('');
    if (isSet(options, 'dry-run')) return describe(call, checked);
    const spillway = clientOf(env);
    const { head, threadIds } = checked;
    const taken = await takenIds(spillway, threadIds);
    if (taken.size > 0 && !isSet(options, 'skip-existing')) throw refused(taken);
    const withSettings = !isSet(options, 'threads-only');
    if (withSettings) await restorePolicy(spillway, head.settings);
    return untilInterrupted(async (signal) => {
      const wanted = { file, total: threadIds.length, taken, signal };
      const { restored, failure } = await restoreThreads(spillway, wanted, (done) =>
        print.progress(progressBar(done, threadIds.length, 'threads')),
      );
      const settings: RestoredSettings =
        withSettings && failure === null
          ? await restoreReceivers(spillway, head.settings, signal)
          : { webhooks: [], todo: [], failure };
      print.progress('');
      if (failure && signal.aborted)
        settings.todo.push('Call again with --skip-existing: not all threads are restored.');
      await report(call, restored, settings)
        .then(() => settings.webhooks.length > 0 && print.refuseUnread())
        .catch((error: unknown) => refuseUnseen(error, settings));
      if (settings.failure) throw settings.failure.error;
      return restored.differing.length + restored.refused.length > 0 ? exitCode.failed : exitCode.done;
    });
  },
};

/** Nothing shows the secrets of webhooks again, so an error of printing them names the webhooks. */
function refuseUnseen(error: unknown, { webhooks }: RestoredSettings): never {
  if (webhooks.length === 0) throw error;
  refuseLost(
    error,
    `Nobody has seen the new secrets of the webhooks ${webhooks.map(({ url }) => url).join(', ')}.`,
    'Rotate them on the page of webhooks in the console.',
  );
}

function refused(taken: ReadonlySet<string>): CommandError {
  const shown = [...taken].sort().slice(0, 3).join(', ');
  return new CommandError(
    'thread_exists',
    `The project has ${taken.size} of the threads already: ${shown}${taken.size > 3 ? ', ...' : ''}.`,
    'Restore into an empty project, or call again with --skip-existing.',
    exitCode.conflict,
  );
}

async function describe({ operands, print }: Call, { head, threadIds }: CheckedBackup): Promise<void> {
  const { policy, models, webhooks, upstreams } = head.settings;
  const { project, made_at: madeAt } = head;
  if (print.json) {
    const counts = { models: models.length, webhooks: webhooks.length, upstreams: upstreams.length };
    const about = { file: operands[0]!, project, made_at: madeAt, threads: threadIds.length };
    return print.value({ ...about, policy, ...counts, dry_run: true });
  }
  await print.line(
    `The file is whole: ${counted(threadIds.length, 'thread')} of the project ${project}, written ${madeAt}.`,
  );
}

async function report(
  { print }: Call,
  threads: RestoredThreads,
  { webhooks, todo }: RestoredSettings,
): Promise<void> {
  if (print.json) return print.value({ ...threads, webhooks, todo });
  const left = threads.skipped > 0 ? ` Already there: ${threads.skipped}.` : '';
  await print.line(
    `Restored ${counted(threads.threads, 'thread')} with ${counted(threads.messages, 'message')} and ${counted(threads.outputs, 'output')}.${left}`,
  );
  if (threads.missing_outputs > 0)
    await print.line(
      `The bytes of ${counted(threads.missing_outputs, 'output')} were lost before the backup was made.`,
    );
  for (const { id, reason } of threads.refused)
    await print.line(`The thread ${id} was not restored: ${reason}`);
  for (const id of threads.differing)
    await print.line(`The context of ${id} differs from that of the backup.`);
  for (const { url, secret } of webhooks) await print.line(`The webhook ${url} has a new secret: ${secret}`);
  for (const what of todo) await print.line(`To do: ${what}`);
}
