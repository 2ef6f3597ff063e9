import { fileOf, mediaOf } from './media.js';
import type { ResultBlock } from './sdk.js';

/** What a tool returned, as the AI SDK has it. */
export interface Output {
  type: string;
  value?: unknown;
  reason?: string;
}

/** A part of an output with more than one text. */
interface OutputPart {
  type: string;
  text?: string;
  data?: string;
  mediaType?: string;
}

export interface Result {
  status: string;
  content: ResultBlock[];
}

/** Returns a result as an output: a text or JSON where it holds that alone. */
export function outputOf({ status, content }: Result): Output {
  const error = status === 'error' ? 'error-' : '';
  const [only, ...others] = content;
  if (only === undefined) return { type: `${error}text`, value: '' };
  if (others.length === 0 && only.text !== undefined) return { type: `${error}text`, value: only.text };
  if (others.length === 0 && 'json' in only) return { type: `${error}json`, value: only.json };
  // An output of parts has no mark of an error: of one its texts are kept.
  if (error !== '') return { type: 'error-text', value: content.map(textOf).join('\n') };
  return { type: 'content', value: content.map(outputPart) };
}

function outputPart(block: ResultBlock): OutputPart {
  const file = fileOf(block);
  if (file?.type !== 'file') return { type: 'text', text: file?.text ?? textOf(block) };
  const { data, mediaType } = file;
  return { type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', data, mediaType };
}

const textOf = (block: ResultBlock): string =>
  block.text ?? ('json' in block ? JSON.stringify(block.json) : `[${Object.keys(block).join()}]`);

/** Returns the result that says the same. */
export function resultOf({ type, value, reason }: Output = { type: 'text', value: '' }): Result {
  if (type === 'execution-denied') return { status: 'error', content: [{ text: reason ?? 'denied' }] };
  const status = type.startsWith('error-') ? 'error' : 'success';
  if (type === 'content') return { status, content: (value as OutputPart[]).map(blockOfPart) };
  return { status, content: [typeof value === 'string' ? { text: value } : { json: value }] };
}

function blockOfPart({ type, text, data, mediaType }: OutputPart): ResultBlock {
  if (data !== undefined && mediaType !== undefined) return mediaOf({ type: 'file', data, mediaType });
  return { text: text ?? `[${type}]` };
}
