import type { LeftOut } from '../imported-session.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from '../sources/json-value.js';

/*
 * The content of a message in ChatGPT's export. It has a `content_type`, and its text in a field that depends on it:
 * `parts`, `text`, `result`, `content`. Pictures, files and recordings are there by the name of a file of the export.
 */

/** What the model keeps for itself. Without a signature no provider takes it back. */
const reasoning = new Set(['thoughts', 'reasoning_recap']);

/** The text of a message, '' for none. What has no text is counted. */
export function chatgptText(message: JsonObject, leftOut: LeftOut): string {
  const content = objectOr(message.content);
  const kind = String(content.content_type);
  if (reasoning.has(kind)) {
    leftOut.add('messages of reasoning');
    return '';
  }
  const attachments = arrayOr(objectOr(message.metadata).attachments).map(objectOr);
  const text = lines([
    ...textsOf(content, kind, attachments, leftOut),
    ...filesOf(content, attachments, leftOut),
  ]);
  if (text === '')
    leftOut.add(
      ['text', 'multimodal_text', 'code'].includes(kind)
        ? 'messages without text'
        : `messages of type ${kind}`,
    );
  return text;
}

/** What a call says to its tool, as it is. */
export const callText = ({ content }: JsonObject): string => {
  const { text, parts } = objectOr(content);
  return textOrNull(text) ?? lines(arrayOr(parts).map((part) => (typeof part === 'string' ? part : '')));
};

const lines = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n');
const fieldsOf = (content: JsonObject, ...fields: string[]): string[] =>
  fields.map((field) => textOrNull(content[field]) ?? '');

function textsOf(
  content: JsonObject,
  kind: string,
  attachments: readonly JsonObject[],
  leftOut: LeftOut,
): string[] {
  switch (kind) {
    case 'code': {
      const language = textOrNull(content.language) ?? '';
      const code = textOrNull(content.text);
      return code === null ? [] : [`\`\`\`${language === 'unknown' ? '' : language}\n${code}\n\`\`\``];
    }
    case 'user_editable_context':
      return fieldsOf(content, 'user_profile', 'user_instructions');
    case 'model_editable_context':
      return fieldsOf(content, 'model_set_context');
    case 'tether_quote':
    case 'sonic_webpage':
      return fieldsOf(content, 'title', 'url', 'text');
    case 'system_error':
      return fieldsOf(content, 'name', 'text');
    default:
      return [
        ...arrayOr(content.parts).map((part) =>
          typeof part === 'string' ? part : partText(objectOr(part), attachments, leftOut),
        ),
        ...fieldsOf(content, 'text', 'result'),
      ];
  }
}

function partText(part: JsonObject, attachments: readonly JsonObject[], leftOut: LeftOut): string {
  const own = textOrNull(part.text) ?? textOrNull(part.result);
  if (own !== null) return own;
  const asset = assetOf(part);
  if (asset === null) {
    leftOut.add(`parts of type ${String(part.content_type)}`);
    return '';
  }
  leftOut.add('files by name');
  const kind = /image/.test(String(part.content_type))
    ? 'image'
    : /audio/.test(String(part.content_type))
      ? 'audio'
      : 'file';
  const named = attachments.find(({ id }) => textOrNull(id) !== null && asset.endsWith(String(id)));
  return `[${kind}: ${textOrNull(named?.name) ?? asset}]`;
}

/** Where the bytes are, `file-service://file-…` or `sediment://file_…`. A recording has them in a part of its own. */
const assetOf = (part: JsonObject): string | null =>
  textOrNull(part.asset_pointer) ??
  textOrNull(part.audio_asset_pointer) ??
  (isObject(part.audio_asset_pointer) ? assetOf(part.audio_asset_pointer) : null);

/** Files beside the text that no part of it shows. */
function filesOf(content: JsonObject, attachments: readonly JsonObject[], leftOut: LeftOut): string[] {
  const shown = arrayOr(content.parts).map((part) => assetOf(objectOr(part)) ?? '');
  return attachments
    .filter(({ id }) => !shown.some((asset) => textOrNull(id) !== null && asset.endsWith(String(id))))
    .flatMap(({ name }) => {
      const known = textOrNull(name);
      if (known === null) return [];
      leftOut.add('files by name');
      return [`[file: ${known}]`];
    });
}
