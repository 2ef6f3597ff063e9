import type { JsonMessage } from '../http/api.js';
import { hashOfMessage } from '../message-hash.js';
import type { Random } from '../random.js';

export interface SentMessage {
  id: string;
  message: JsonMessage;
  sha256: string;
}

/** Text that no other project may ever see. */
export const canaryOf = (project: string): string => `canary-${project}`;
export const canariesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/canary-([a-z0-9]+)/g)].map((match) => match[1]!)),
];

const words = 'the build of module core failed at step link because symbol was not found in archive'.split(
  ' ',
);

function prose(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(words)).join(' ');
}

/** A log of 15 to 60 kB, which is offloaded. */
function bigResult(random: Random): string {
  const lines = 200 + random.below(600);
  return Array.from(
    { length: lines },
    (_, i) => `${i} INFO worker-${random.below(9)} ${prose(random, 9)}`,
  ).join('\n');
}

/**
 * An endless conversation of an agent, post by post: questions, tool calls with small and large results, answers. Each
 * message contains its own id and its project, so that readers know which ones they see.
 */
export function* conversation(
  project: string,
  thread: string,
  random: Random,
): Generator<SentMessage[], never> {
  let number = 0;
  const sent = (message: JsonMessage): SentMessage => ({
    id: `${thread}-${++number}`,
    message,
    sha256: hashOfMessage(message),
  });
  const own = (text: string) => `#${thread}-${number + 1} ${canaryOf(project)} ${text}`;
  for (;;) {
    yield [sent({ role: 'user', content: own(prose(random, 20 + random.below(60))) })];
    for (let round = random.below(3); round > 0; round--) {
      const asks = 1 + random.below(2);
      // A call is named after the message with its result.
      const ids = Array.from({ length: asks }, (_, i) => `${thread}-${number + 2 + i}`);
      const call = sent({
        role: 'assistant',
        content: own('I look.'),
        tool_calls: ids.map((id) => ({
          id: `call-${id}`,
          type: 'function',
          function: { name: 'run', arguments: JSON.stringify({ command: prose(random, 4) }) },
        })),
      });
      const results = ids.map((id) => {
        const text = random.chance(0.25) ? bigResult(random) : prose(random, 10 + random.below(100));
        return sent({ role: 'tool', tool_call_id: `call-${id}`, content: own(text) });
      });
      if (random.chance(0.5)) yield [call, ...results];
      else {
        yield [call];
        for (const result of results) yield [result];
      }
    }
    yield [sent({ role: 'assistant', content: own(prose(random, 20 + random.below(60))) })];
  }
}

/** Ids of the messages in a context: by the name at their start, or by the call they answer. */
export function idsShown(messages: readonly JsonMessage[]): string[] {
  const ids = messages.flatMap((message) => {
    const named = [...JSON.stringify(message.content ?? '').matchAll(/#(\w+-\d+) canary/g)].map((m) => m[1]!);
    const answers = message.role === 'tool' ? [String(message.tool_call_id).replace(/^call-/, '')] : [];
    return [...named, ...answers];
  });
  return [...new Set(ids)];
}
