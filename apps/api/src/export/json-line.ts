import { storedFidelity, type Exported } from '@spillway/service';
import { instructionView } from '../instructions/instruction.view.js';
import { messageView } from '../messages/message.view.js';
import { fidelityView, summaryView } from '../summaries/summary.view.js';
import { threadView } from '../threads/thread.view.js';

/** One line of an export. `message` in it is what was posted, value for value. */
export const asJsonLine = (item: Exported): string => `${JSON.stringify(lineOf(item))}\n`;

function lineOf(item: Exported): object {
  if (item.type === 'thread') return { type: 'thread', ...threadView(item.thread) };
  if (item.type === 'message') return { type: 'message', ...messageView(item.message) };
  if (item.type === 'instruction') return { type: 'instruction', ...instructionView(item.instruction) };
  if (item.type === 'system') return item;
  if (item.type === 'dropped') return { type: 'dropped', seq: item.seq, what: item.what };
  if (item.type === 'converted')
    return { type: 'message', seq: item.seq, format: item.format, message: item.body };
  const { summary, thread } = item;
  return { type: 'summary', ...summaryView(summary, thread), ...fidelityView(storedFidelity(summary)) };
}
