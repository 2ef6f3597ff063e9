import { isDeep, type Reviver } from '../outputs/preview/json/parse-json.js';
import { answersOf, everyPart, type Message, type Part } from '../messages/message.js';

/** The searchable text of a message: its texts, names of tools, and the values in their arguments. */
export const searchableText = (message: Message): string => everyPart(message).flatMap(textsOf).join('\n');

/** The texts of a message that a search reads. */
export interface SearchableMessage {
  text: string;
  /** The text of each call that it makes. */
  calls: { id: string; name: string; text: string }[];
  /** Ids of the calls that it answers. */
  answers: string[];
}

export const searchableMessage = (message: Message): SearchableMessage => ({
  text: searchableText(message),
  calls: message.parts.flatMap((part) =>
    part.type === 'call' ? [{ id: part.id, name: part.name, text: textsOf(part).join('\n') }] : [],
  ),
  answers: answersOf(message),
});

function textsOf(part: Part): string[] {
  if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') return [part.text];
  if (part.type === 'call') return [part.name, ...valuesIn(part.input)];
  if (part.type === 'media') return part.name === null ? [] : [part.name];
  return part.type === 'other' && !part.parts ? [JSON.stringify(part.value) ?? ''] : [];
}

/** Arguments as readable text: without JSON escapes within JSON, with numbers as they were written. */
function valuesIn(input: string): string[] {
  // A reviver calls itself for each level.
  if (isDeep(input)) return [input];
  try {
    const values: string[] = [];
    const read: Reviver = (key, value, context) => {
      if (typeof value === 'string') values.push(key === '' ? value : `${key}: ${value}`);
      else if (typeof value === 'number' || typeof value === 'boolean')
        values.push(`${key}: ${context?.source ?? value}`);
      return value;
    };
    JSON.parse(input, read);
    return values;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [input];
  }
}
