import type { GeminiMedia, GeminiPart } from './content.js';

/** What a tool returned, as the AI SDK has it. */
export interface Output {
  type: string;
  value?: unknown;
  reason?: string;
}

type FunctionResponse = NonNullable<GeminiPart['functionResponse']>;
type Response = Record<string, unknown>;

/** The form of a response, which an output does not say. */
export interface ResponseForm {
  /** The field that has its text, where it is not `result`. */
  field?: string;
  /** The text beside its files is JSON. */
  isJson?: true;
}

/** The fields in which functions return one text. */
const textFields = ['result', 'output'];

/** Returns what a function returned as an output: a text where it has one alone, an error where it says so. */
export function outputOf({ response = {}, parts = [] }: FunctionResponse): [Output, ResponseForm] {
  const [[field, value] = ['', undefined], ...others] = Object.entries(response);
  const isText = others.length === 0 && textFields.includes(field) && typeof value === 'string';
  const form: ResponseForm = isText && field !== 'result' ? { field } : {};
  if (parts.length > 0) {
    const text = isText ? value : JSON.stringify(response);
    const output = { type: 'content', value: [{ type: 'text', text }, ...parts.map(mediaItem)] };
    return [output, isText ? form : { isJson: true }];
  }
  if (others.length === 0 && field === 'error')
    return [{ type: typeof value === 'string' ? 'error-text' : 'error-json', value }, form];
  return isText ? [{ type: 'text', value }, form] : [{ type: 'json', value: response }, form];
}

/** Returns the response that says the same. */
export function responseOf(
  output: Output = { type: 'json' },
  { field = 'result', isJson }: ResponseForm = {},
): Pick<FunctionResponse, 'response' | 'parts'> {
  const { type, value, reason } = output;
  if (type === 'execution-denied') return { response: { error: reason ?? 'denied' } };
  if (type.startsWith('error-')) return { response: { error: value } };
  if (type === 'content') {
    const items = value as Item[];
    const text = items.flatMap((item) => (item.type === 'text' ? [item.text ?? ''] : [])).join('\n');
    const parts = items.flatMap(mediaPart);
    const response = (isJson && objectIn(text)) || { [field]: text };
    return { response, ...(parts.length > 0 ? { parts } : {}) };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { response: isObject ? (value as Response) : { [field]: value } };
}

/** An item of an output of several. */
interface Item {
  type: string;
  text?: string;
  data?: string;
  url?: string;
  mediaType?: string;
  filename?: string;
}

function mediaItem({ inlineData, fileData }: GeminiMedia): Item {
  const { mimeType: mediaType = '', displayName: filename } = inlineData ?? fileData ?? {};
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  const named = { mediaType, ...(filename === undefined ? {} : { filename }) };
  return inlineData
    ? { type: `${kind}-data`, data: inlineData.data ?? '', ...named }
    : { type: `${kind}-url`, url: fileData?.fileUri ?? '', ...named };
}

function mediaPart({ data, url, mediaType: mimeType, filename }: Item): GeminiMedia[] {
  const named = {
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(filename === undefined ? {} : { displayName: filename }),
  };
  if (data !== undefined) return [{ inlineData: { data, ...named } }];
  return url === undefined ? [] : [{ fileData: { fileUri: url, ...named } }];
}

/** The object in a text, which a context may have shortened; undefined where it is none any more. */
function objectIn(text: string): Response | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Response) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
