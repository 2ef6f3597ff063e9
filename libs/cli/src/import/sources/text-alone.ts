import { arrayOr, isObject } from './json-value.js';
import type { SourceFile } from './source-file.js';

/** What a message of text has in every source, and what `import` takes out of it. */
const plainFields = new Set([
  'role',
  'content',
  'id',
  'type',
  'created_at',
  'create_time',
  'createdAt',
  'timestamp',
]);
const plainRoles = new Set(['system', 'user', 'assistant']);

/** Returns the sources whose file would be the same as one that is recognized as `source`, because it has text alone. */
export function sourcesLike(source: string, { entries, document }: SourceFile): string[] {
  if (!['openai', 'ai-sdk', 'anthropic'].includes(source) || !entries.every(isTextAlone)) return [];
  if (document?.system === undefined)
    return [...(document === null ? ['responses'] : []), 'ai-sdk', 'anthropic'];
  // Requests of Anthropic have both; in the AI SDK a model is no text.
  return document.model === undefined ? ['ai-sdk'] : [];
}

const isTextAlone = ({ value }: SourceFile['entries'][number]): boolean =>
  plainRoles.has(String(value.role)) &&
  Object.keys(value).every((key) => plainFields.has(key)) &&
  (typeof value.content === 'string' ||
    arrayOr(value.content).every(
      (part) =>
        isObject(part) &&
        part.type === 'text' &&
        Object.keys(part).every((key) => key === 'type' || key === 'text'),
    ));
