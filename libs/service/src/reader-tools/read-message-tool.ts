import { linesOf, readMessage, searchableMessage } from '@spillway/engine';
import { getMessage } from '../messages/get-message.js';
import { linesAsked } from '../outputs/lines-asked.js';
import { ExcerptBuilder } from '../outputs/read-lines.js';
import type { Runtime } from '../runtime.js';
import { answerOf, callOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import { readOnArguments, shownLines } from './read-on.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

/** Reads a message as its context shows it: a stub in place of an offloaded output. */
export async function readMessageTool(
  rt: Runtime,
  scope: ReaderScope,
  { seq, ...range }: ReaderArguments['read_message'],
): Promise<ReaderAnswer> {
  const { room, names, projectId, threadId } = scope;
  const [message] = await getMessage(rt, { projectId, threadId, seq, around: 0, view: 'context' });
  const { row, format, body } = message!;
  const lines = linesOf(searchableMessage(readMessage({ format, body })).text);
  const asked = linesAsked(range, lines.length) ?? { first: 1, last: lines.length };
  const builder = new ExcerptBuilder(asked, {
    maxTokens: room.maxTokens - footerTokens,
    numbered: false,
    count: room.count,
  });
  for (let i = asked.first - 1; i < lines.length; i++) {
    const piece = { number: i + 1, text: lines[i]!, column: 0, offset: 0, end: 0, isEnd: true };
    if (builder.add(piece)) break;
  }
  const excerpt = builder.done();
  const next = readOnArguments(excerpt);
  const more = next === null ? '' : ` Next: ${callOf(names.read_message, { seq, ...next })}`;
  const footer = `[Message ${seq}, ${row.role}. ${shownLines(excerpt, lines.length)}${more}]`;
  return answerOf(excerpt.text, footer, room);
}
