import { idOf, type CallIds } from './call-ids.js';
import type { GeminiPart } from './content.js';
import { outputOf, responseOf, type Output, type ResponseForm } from './results.js';

/** A part of a model message of the AI SDK. */
export interface MessagePart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: Output;
  data?: string;
  image?: string;
  mediaType?: string;
  providerExecuted?: boolean;
  providerOptions?: { google?: Kept };
}

/** What messages of the AI SDK have no place for, so that a part can be sent again as it came. */
interface Kept extends ResponseForm {
  thoughtSignature?: string;
  /** The text is what a model of Google thought. */
  thought?: boolean;
  /** The text stands for this part. */
  part?: GeminiPart;
  /** More fields of the part, such as a media resolution. */
  beside?: object;
  /** More fields of what the part is. */
  within?: object;
}

/** Returns a part of a content as one of a message. */
export function partOf(part: GeminiPart, ids: CallIds): MessagePart {
  const { functionCall, functionResponse, inlineData, fileData, ...rest } = part;
  if (functionCall) {
    const { id: _, name: toolName = '', args: input = {}, ...within } = functionCall;
    const toolCallId = ids.call(functionCall);
    return { type: 'tool-call', toolCallId, toolName, input, ...optionsOf(rest, within) };
  }
  if (functionResponse) {
    const { id: _, name: toolName = '', response: _response, parts: _parts, ...within } = functionResponse;
    const toolCallId = ids.result(functionResponse);
    const [output, form] = outputOf(functionResponse);
    return { type: 'tool-result', toolCallId, toolName, output, ...optionsOf(rest, within, form) };
  }
  if (inlineData) {
    const { data = '', mimeType: mediaType = unknownMedia, ...within } = inlineData;
    return { type: 'file', data, mediaType, ...optionsOf(rest, within) };
  }
  if (fileData) {
    const { fileUri: data = '', mimeType: mediaType = unknownMedia, ...within } = fileData;
    return { type: 'file', data, mediaType, ...optionsOf(rest, within) };
  }
  return wordsOf(rest);
}

/** Google gives the type of a file where its caller does not. */
const unknownMedia = 'application/octet-stream';

const optionsOf = (
  { thoughtSignature, ...beside }: GeminiPart,
  within: object,
  form: ResponseForm = {},
): Pick<MessagePart, 'providerOptions'> =>
  withOptions({ thoughtSignature, ...form, beside: filled(beside), within: filled(within) });

const filled = (fields: object): object | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields;

/** Undefined values are left out, as in JSON: what was recorded is compared with what is sent again. */
function withOptions(options: { [name in keyof Kept]: Kept[name] | undefined }): Pick<
  MessagePart,
  'providerOptions'
> {
  const google = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return Object.keys(google).length === 0 ? {} : { providerOptions: { google } };
}

/** A text or a thought; a part of another kind in words. */
function wordsOf({ text, thought, thoughtSignature, ...others }: GeminiPart): MessagePart {
  if (text === undefined && filled(others))
    return { type: 'text', text: textOf(others), ...withOptions({ thoughtSignature, part: others }) };
  // A signature may come in a part of its own.
  const isThought = thought === true || (thoughtSignature !== undefined && !text);
  const options = { thoughtSignature, thought: thought || undefined, beside: filled(others) };
  return { type: isThought ? 'reasoning' : 'text', text: text ?? '', ...withOptions(options) };
}

/** What a part that is neither a text, nor a call, a result or a file says in words: the part itself if need be. */
function textOf({ executableCode, codeExecutionResult, ...others }: GeminiPart): string {
  if (executableCode) return `\`\`\`${executableCode.language ?? ''}\n${executableCode.code ?? ''}\n\`\`\``;
  if (codeExecutionResult) return `${codeExecutionResult.outcome ?? ''}\n${codeExecutionResult.output ?? ''}`;
  return JSON.stringify(others);
}

/**
 * Returns a part of a message as one of a content, as it came where it came from one. Thoughts of models of others have
 * no place there.
 */
export function writtenPart(part: MessagePart): GeminiPart[] {
  const { type, text = '', toolName: name = '', toolCallId } = part;
  const kept = part.providerOptions?.google ?? {};
  const { thoughtSignature, thought, beside, within } = kept;
  const rest = { ...beside, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) };
  switch (type) {
    case 'tool-call': {
      const args = part.input as Record<string, unknown>;
      return [{ functionCall: { ...idOf(toolCallId), name, args, ...within }, ...rest }];
    }
    case 'tool-result': {
      const response = responseOf(part.output, kept);
      return [{ functionResponse: { ...idOf(toolCallId), name, ...response, ...within }, ...rest }];
    }
    case 'file':
    case 'image':
      return [{ ...writtenMedia(part, within), ...rest }];
    case 'reasoning': {
      const isOfGoogle = thought === true || (thoughtSignature !== undefined && text === '');
      return isOfGoogle ? [{ text, ...(thought ? { thought } : {}), ...rest }] : [];
    }
    default:
      // A text that the context shows in another way stands for no part any more.
      if (kept.part && textOf(kept.part) === text) return [{ ...kept.part, ...rest }];
      return type === 'text' && text !== '' ? [{ text, ...rest }] : [];
  }
}

function writtenMedia({ data, image, mediaType }: MessagePart, within: object | undefined): GeminiPart {
  const source = data ?? image ?? '';
  const [, ofUrl, bytes] = /^data:([^;,]*);base64,(.*)$/s.exec(source) ?? [];
  const mimeType = mediaType ?? ofUrl;
  if (!/^[a-z]+:\/\//.test(source))
    return { inlineData: { data: bytes ?? source, mimeType: mimeType ?? unknownMedia, ...within } };
  const typed = mimeType === undefined || mimeType === unknownMedia ? {} : { mimeType };
  return { fileData: { fileUri: source, ...typed, ...within } };
}
