import { linesOf, participantOf, readMessage, searchableMessage, speakerName } from '@spillway/engine';
import { getMessage } from '../messages/get-message.js';
import { linesAsked } from '../outputs/lines-asked.js';
import { ExcerptBuilder } from '../outputs/read-lines.js';
import type { Runtime } from '../runtime.js';
import { pairedMessages, showPairs } from './paired-messages.js';
import { answerOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import { readOnArguments, shownLines } from './read-on.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

/**
 * Reads a message as its context shows it: a stub in place of an offloaded output. A call is followed by its results and
 * a result by its call, as far as they fit.
 */
export async function readMessageTool(
  rt: Runtime,
  scope: ReaderScope,
  { seq, ...range }: ReaderArguments['read_message'],
): Promise<ReaderAnswer> {
  const { room, callOf, projectId, threadId } = scope;
  const [message] = await getMessage(rt, { projectId, threadId, seq, around: 0, view: 'context' });
  const { row, format, body } = message!;
  const read = readMessage({ format, body });
  const searchable = searchableMessage(read);
  const lines = linesOf(searchable.text);
  const part = linesAsked(range, lines.length);
  const asked = part ?? { first: 1, last: lines.length };
  const space = room.maxTokens - footerTokens;
  const builder = new ExcerptBuilder(asked, { maxTokens: space, numbered: false, count: room.count });
  for (let i = asked.first - 1; i < lines.length; i++) {
    const piece = { number: i + 1, text: lines[i]!, column: 0, isEnd: true };
    if (builder.add(piece)) break;
  }
  const excerpt = builder.done();
  const next = readOnArguments(excerpt);
  const more = next === null ? '' : ` Next: ${callOf('read_message', { seq, ...next })}`;
  const speaker = speakerName({ role: row.role, participant: participantOf(read) });
  const footer = `[Message ${seq}, ${speaker}. ${shownLines(excerpt, lines.length)}${more}]`;
  // Whoever reads a part of a message has seen its pair before.
  const pairs = part === undefined ? await pairedMessages(rt, scope, seq, searchable) : [];
  const shown = showPairs(pairs, scope, space - room.count(excerpt.text));
  return answerOf([excerpt.text.replace(/\n+$/, ''), ...shown].join('\n'), footer, room);
}
