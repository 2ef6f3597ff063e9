const nouns = ['parser', 'ledger', 'router', 'cache', 'index', 'worker', 'schema', 'socket'];
const verbs = ['reads', 'drops', 'merges', 'checks', 'rewrites', 'counts', 'delays', 'closes'];

/**
 * Sentences of which no two are equal, so that nothing is compressed or remembered from another text, in exactly so
 * many characters.
 */
export function textOf(name: string, length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++) {
    const hash = Math.imul(i + 1, 2_654_435_761) >>> 0;
    const [noun, verb, object] = [nouns[hash % 8], verbs[(hash >> 3) % 8], nouns[(hash >> 6) % 8]];
    text += `In ${name} the ${noun} ${verb} line ${i} of the ${object}, and takes ${hash % 1_000} ms. `;
  }
  return text.slice(0, length);
}

/** `count` messages of so many characters, of the user and the assistant in turns. */
export const messagesOf = (name: string, count: number, characters = 1_000) =>
  Array.from({ length: count }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: textOf(`${name}-${i}`, characters),
  }));

/** A tool call and its result of `bytes` characters. */
export const callWithResult = (name: string, bytes: number) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: name, type: 'function', function: { name: 'sh', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: name, content: textOf(name, bytes).replaceAll('. ', '.\n') },
];
