import { previewEnds, type Preview } from '@spillway/engine';
import type { Logger } from 'pino';
import type { ThreadSettings } from '../../policies/settings.js';
import { previewRoomOf } from '../preview-room.js';
import { countInSlices } from '../text-work/count-in-slices.js';
import { inlineCharacters, runOnThread } from '../text-work/pool.js';
import { describeEnds } from '../text-work/worker.js';
import type { ReceivedText } from './received-text.js';

/**
 * The preview and the tokens of an upload. Up to 8 MiB both use the whole text, as for a result in a message. For a
 * larger one the preview uses its first and last 4 MiB, and the tokens are estimated from samples.
 */
export async function describeUpload(
  received: ReceivedText,
  lines: number,
  { policy, counter, count }: ThreadSettings,
  log: Logger,
): Promise<{ preview: Preview; tokens: number }> {
  const { bytes, isWhole } = received.ends();
  const room = previewRoomOf(policy);
  const task = { bytes, isWhole, lines, room, counter: counter.choice };
  const isSmall = bytes.length <= inlineCharacters;
  try {
    const { preview, tokens } = await (isSmall ? describeEnds(task) : runOnThread('describeEnds', task));
    return { preview, tokens: tokens ?? (await received.estimatedTokens()) };
  } catch (error) {
    log.warn({ err: error, bytes: received.size }, 'a preview failed; the ends of the upload are shown');
    const text = bytes.toString('utf8');
    const tokens = isWhole ? await countInSlices(text, count) : await received.estimatedTokens();
    return { preview: previewEnds(text, lines, room, count), tokens };
  }
}
