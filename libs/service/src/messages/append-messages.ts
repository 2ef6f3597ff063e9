import { formats, offloadableResultsOf, SpillwayError } from '@spillway/engine';
import {
  isUniqueViolation,
  readThread,
  type Append,
  type AppendedThread,
  type GrownThread,
} from '@spillway/store';
import { recordedMessage, type Appended, type AppendInput, type ReadAppend } from './appended.js';
import { appendAgain, hasKnownIds } from './append-again.js';
import { refuseOtherLastSeq } from './refuse-other-last-seq.js';
import { calibrateThread, type PostedUsage } from '../context/calibrate-thread.js';
import { countRecorded } from '../usage/count-usage.js';
import { reached } from '../crash-point.js';
import { whenFoldedAhead } from '../compaction/fold-ahead.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { leadingCount, prepareMessages, type PreparedMessage } from './prepare-messages.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { windowMessage } from './entries.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';
import { newUid } from '../threads/new-uid.js';

/** A policy that changes during every try is no longer a race. */
const tries = 4;

/**
 * Records messages: all or none, in order, and the same client id twice is one message. Counts and offloads first,
 * outside any lock; the statement that writes does nothing when the settings changed meanwhile. Throws
 * `message_conflict`, `last_seq_changed`, `thread_erased`, `pinned_too_large`, `storage_unavailable`.
 */
export async function appendMessages(rt: Runtime, asked: AppendInput): Promise<Appended> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const settings = await rt.settings.ofId(asked.projectId, asked.threadId);
    const uid = newUid();
    const made = await decide(rt, asked, settings, uid).catch(async (error: unknown) => {
      // Settings that were cached may have changed: then nobody is refused for the ones before.
      if (!(error instanceof SpillwayError)) throw error;
      rt.settings.forget(asked.projectId, asked.threadId);
      if (isSame(await rt.settings.ofId(asked.projectId, asked.threadId), settings)) throw error;
      return null;
    });
    if (!made) continue;
    const { input, prepared } = made;
    reached('append.before_commit');
    const row = await rt.appends.append(statementFor(input, prepared, settings, uid)).catch(nothingWritten);
    if (row) {
      reached('append.committed');
      return finish(rt, row, prepared, input.usage ?? null);
    }

    // Nothing was written: find out why.
    rt.settings.forget(input.projectId, input.threadId);
    const thread = await readThread(rt.store.query, input.projectId, input.threadId);
    if (thread?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    if (await hasKnownIds(rt, thread, input.messages)) {
      const current = await rt.settings.ofId(input.projectId, input.threadId);
      // What was decided under older settings is decided again.
      if (!isSame(current, settings)) continue;
      return appendAgain(rt, input, prepared, (some) => statementFor(input, some, current, uid));
    }
    refuseOtherLastSeq(input, thread);
  }
  throw new SpillwayError('thread_busy', "The thread's policy keeps changing. Retry.");
}

async function decide(rt: Runtime, asked: AppendInput, settings: ThreadSettings, uid: string) {
  const input = readIn(asked, settings);
  const known = settings.policyVersion === 0 ? null : await readUid(rt, input, settings);
  const prepared = await prepareMessages(rt, { ...input, threadUid: known ?? uid }, input.messages, settings);
  return { input, prepared };
}

const isSame = (one: ThreadSettings, other: ThreadSettings): boolean =>
  one.policyVersion === other.policyVersion && one.settingsVersion === other.settingsVersion;

const readIn = (asked: AppendInput, { format }: ThreadSettings): ReadAppend => ({
  ...asked,
  messages: typeof asked.messages === 'function' ? asked.messages(format) : asked.messages,
});

/** A client id that another request recorded at the same time: the next look-up finds it. */
function nothingWritten(error: unknown): undefined {
  if (!isUniqueViolation(error)) throw error;
}

/** Needed only to look up the tool of a result, so it is read only when a result may be offloaded. */
async function readUid(rt: Runtime, input: ReadAppend, settings: ThreadSettings): Promise<string | null> {
  const { threshold_tokens: limit, threshold_chars: chars } = settings.policy.outputs;
  const mayOffload = input.messages.some(
    ({ body, format }) =>
      JSON.stringify(body).length > (chars ?? limit) &&
      offloadableResultsOf(formats[format].read(body)).length > 0,
  );
  if (!mayOffload) return null;
  return (await readThread(rt.store.query, input.projectId, input.threadId))?.uid ?? null;
}

function statementFor(
  input: ReadAppend,
  prepared: readonly PreparedMessage[],
  settings: ThreadSettings,
  newUid: string,
): Append {
  const { budget, policy } = settings;
  return {
    projectId: input.projectId,
    threadId: input.threadId,
    newUid,
    baseTokens: settings.baseTokens,
    contextWindow: budget.contextWindow,
    limitTokens: budget.limit,
    triggerTokens: budget.trigger,
    summaryEnabled: policy.summary.enabled,
    ahead: whenFoldedAhead(settings),
    settingsVersion: settings.settingsVersion,
    policyVersion: settings.policyVersion,
    ifLastSeq: input.ifLastSeq ?? null,
    messages: prepared.map((message) => message.row),
    weight: prepared.reduce((sum, message) => sum + message.weight, 0),
    leading: leadingCount(prepared),
  };
}

/** What a message has that was just written. */
const unchanged = { hold: null, holdTokens: null, rewoundBefore: 0 };

async function finish(
  rt: Runtime,
  row: AppendedThread,
  prepared: readonly PreparedMessage[],
  usage: PostedUsage | null,
): Promise<Appended> {
  hintCompaction(rt, row);
  countRecorded(rt, row, prepared);
  const first = row.nextSeq - prepared.length;
  rt.keptThreads.append(row, prepared.length, () =>
    prepared.map((message, i) => windowMessage({ ...message.row, ...unchanged, seq: first + i })),
  );
  const weighed = await weighedAgain(rt, row);
  const calibrated = usage && (await calibrateThread(rt, weighed, usage, first - 1));
  return {
    thread: calibrated?.thread ?? weighed,
    replayed: false,
    usage: calibrated?.outcome ?? null,
    messages: prepared.map((message, i) => recordedMessage(message, first + i)),
  };
}

/** The messages are recorded: a failed weighing is left to the next one. */
async function weighedAgain(rt: Runtime, row: GrownThread): Promise<GrownThread> {
  if (isWeighed(row)) return row;
  try {
    return (await weighThread(rt, row.projectId, row.id)) ?? row;
  } catch (error) {
    rt.log.warn({ err: error, thread: row.uid }, 'a thread was not weighed again');
    return row;
  }
}
