import { everyPart, type Message } from '../messages/message.js';

/** The searchable text of a message: its texts, names of tools, and the values in their arguments. */
export const searchableText = (message: Message): string =>
  everyPart(message)
    .flatMap((part) => {
      if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') return [part.text];
      if (part.type === 'call') return [part.name, ...valuesIn(part.input)];
      if (part.type === 'media') return part.name === null ? [] : [part.name];
      return part.type === 'other' ? [JSON.stringify(part.value) ?? ''] : [];
    })
    .join('\n');

/** Arguments as readable text: without JSON escapes within JSON. */
function valuesIn(input: string): string[] {
  try {
    const values: string[] = [];
    JSON.parse(input, (key, value: unknown) => {
      if (typeof value === 'string') values.push(key === '' ? value : `${key}: ${value}`);
      else if (typeof value === 'number' || typeof value === 'boolean') values.push(`${key}: ${value}`);
      return value;
    });
    return values;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [input];
  }
}
