import { base64Of } from '@spillway/client/agent';

type Json = Record<string, unknown>;

/** Content of a message of the SDK as the Responses API has it. */
export const partsOfAgent = (content: unknown): unknown =>
  typeof content === 'string' ? content : (content as Json[]).map(partOfAgent);

function partOfAgent({ providerData: _, ...part }: Json): Json {
  const { type, image, file, ...rest } = part;
  if (type === 'input_image') return { type, ...addressOf(image, 'image'), ...rest };
  if (type === 'input_file') return { type, ...addressOf(file, 'file'), ...rest };
  return part;
}

/** An image or a file by its id at the provider, its URL, or its data. */
function addressOf(source: unknown, kind: 'image' | 'file'): Json {
  if (typeof source === 'string') {
    if (kind === 'image') return { image_url: source };
    return /^https?:/.test(source) ? { file_url: source } : { file_data: source };
  }
  const { id, fileId = id, url, data, mediaType = 'application/octet-stream' } = (source ?? {}) as Json;
  if (typeof fileId === 'string') return { file_id: fileId };
  if (typeof url === 'string') return { [`${kind}_url`]: url };
  const address = `data:${String(mediaType)};base64,${typeof data === 'string' ? data : base64(data)}`;
  return { [kind === 'image' ? 'image_url' : 'file_data']: address };
}

const base64 = (data: unknown): string => (data instanceof Uint8Array ? base64Of(data) : '');

/** A tool's result as the Responses API has it: text, or parts. */
export function resultOfAgent(output: unknown): unknown {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return (output as Json[]).map(partOfAgent);
  const { type, text, image, file, detail, filename } = output as Json;
  if (type === 'image')
    return [
      { type: 'input_image', ...addressOf(image, 'image'), ...(detail === undefined ? {} : { detail }) },
    ];
  if (type === 'file')
    return [
      { type: 'input_file', ...addressOf(file, 'file'), ...(filename === undefined ? {} : { filename }) },
    ];
  return String(text);
}

/** A part of the Responses API as the SDK has it. */
export function partOfResponses(part: Json): Json {
  const { type, image_url: image, file_url: url, file_data: data, file_id: id, ...rest } = part;
  if (type === 'input_image') return { type, image: typeof id === 'string' ? { id } : image, ...rest };
  if (type === 'input_file') return { type, file: typeof id === 'string' ? { id } : (data ?? url), ...rest };
  if (type === 'output_text') return { type, text: part.text };
  return part;
}

/** A result of the Responses API as the SDK has it. */
export const resultOfResponses = (output: unknown): unknown =>
  Array.isArray(output) ? (output as Json[]).map(partOfResponses) : { type: 'text', text: String(output) };
