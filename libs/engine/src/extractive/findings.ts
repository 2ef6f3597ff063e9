import type { SeqMessage } from '../messages/seq-message.js';
import { oneLine, sentencesOf, type Item } from './item.js';

const failure =
  /\b(error|exception|fatal|panic|failure)\b\s*[:!([]|\b(traceback|failed|not found|no such|denied|timed out|unable to|cannot|can't)\b|\b[A-Z]\w{2,40}(Error|Exception)\b|\b(ENOENT|EACCES|EPERM|ECONN[A-Z]+|ETIMEDOUT|FAIL(ED)?)\b|✗/i;
/** Source code speaks of errors without reporting one. */
const looksLikeCode =
  /[;{},]\s*$|^\s*(\d+[:→|]?\s+)?(\/\/|\/?\*|#include\b|import\b|export\b|const\b|let\b|return\b|throw\b|this\.)|=>/;
const decision =
  /\b(because|root cause|turns? out|decided|decision|instead|the (issue|problem|bug|reason) (is|was)|caused by|found that|discovered|confirmed|works now|fixed|did not work|doesn't work|does not work|workaround|approved|cancel+ed|booked|refund)\b/i;
const plan =
  /\b(next|then i|i('ll| will)|we('ll| will)|let me|need to|needs to|should|todo|plan|remaining|follow[- ]?up|after that|going to|pending|waiting for|blocked)\b/i;

/** Lines of tool results that report a failure, a few of each result: errors must survive with their words. */
export const failuresOf = (messages: readonly SeqMessage[]): Item[] =>
  messages.flatMap(({ seq, results }) =>
    results.flatMap(({ name, text }) =>
      text
        .slice(0, 40_000)
        .split('\n')
        .filter((line) => line.length < 2_000 && failure.test(line) && !looksLikeCode.test(line))
        .slice(0, 2)
        .map((line) => ({ seq, text: `${name ?? 'tool'}: ${oneLine(line, 200)}`, weight: 1.2 })),
    ),
  );

/** What the assistant concluded or decided. */
export const decisionsOf = (messages: readonly SeqMessage[]): Item[] =>
  pick(messages, decision, 2).map((item) => ({ ...item, weight: 1.4 }));

/** What the assistant said it would do; only the latest of it is still a plan. */
export const plansOf = (messages: readonly SeqMessage[]): Item[] =>
  pick(messages.slice(-24), plan, 2).map((item) => ({ ...item, weight: 1 }));

function pick(messages: readonly SeqMessage[], pattern: RegExp, most: number): Item[] {
  return messages
    .filter((message) => message.role === 'assistant')
    .flatMap((message) =>
      sentencesOf(message.text)
        .filter((sentence) => pattern.test(sentence))
        .slice(0, most)
        .map((sentence) => ({ seq: message.seq, text: `assistant: ${oneLine(sentence, 220)}`, weight: 1 })),
    );
}
