import { updateThread, type ThreadRow } from '@spillway/store';
import { columnsOf, sourceOf, wishesOf } from './create-thread.js';
import { hintCompaction } from './hint-compaction.js';
import type { Runtime } from './runtime.js';

/** A shorter context says more about templates than about tokens. */
const fewestTokens = 500;
/** Beyond these a count is a mistake and no calibration. */
const bounds = { least: 0.5, most: 4 };
/** Smaller corrections are noise, and every correction makes the thread's settings be read again. */
const worthwhile = 0.03;

/**
 * Learns what the provider counts for one of our tokens, from the usage a caller posts with the answer to a context
 * of `contextTokens`. Budget and trigger follow: a tokenizer that counts more than ours fills the window sooner.
 * Gives the thread as it then is.
 */
export async function calibrateThread(
  rt: Runtime,
  row: ThreadRow,
  inputTokens: number,
  contextTokens: number,
): Promise<ThreadRow> {
  const limit = row.limitTokens * row.calibration;
  if (contextTokens < fewestTokens || contextTokens * row.calibration > limit) return row;
  const measured = Math.min(bounds.most, Math.max(bounds.least, inputTokens / contextTokens));
  // Half way to each new measurement: one odd call does not move the trigger far.
  const calibration = (row.calibration + measured) / 2;
  if (Math.abs(calibration / row.calibration - 1) < worthwhile) return row;
  const wishes = wishesOf(row);
  const project = await rt.settings.project(row.projectId, row.settingsVersion);
  const source = { ...sourceOf(wishes, calibration), policyVersion: row.policyVersion + 1 };
  const settings = await rt.settings.resolve(project, source);
  const key = { projectId: row.projectId, uid: row.uid, policyVersion: row.policyVersion };
  const change = { ...columnsOf(wishes, settings, calibration), liveDelta: 0 };
  const changed = await updateThread(rt.store.query, key, change);
  rt.settings.forget(row.projectId, row.id);
  // Another change came first; the next usage calibrates.
  if (!changed) return row;
  hintCompaction(rt, changed);
  return changed;
}
