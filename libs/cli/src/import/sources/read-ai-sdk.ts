import { LeftOut, type ReadSession } from '../imported-session.js';
import { arrayOr, isObject, textOrNull } from './json-value.js';
import { listedMessages, wrongContent } from './listed-messages.js';
import type { SourceFile } from './source-file.js';

/*
 * Messages of the AI SDK, documented at ai-sdk.dev/docs/reference/ai-sdk-core/model-message and typed as `ModelMessage`
 * in the npm package `ai`: a JSON list, JSON lines, or an object with `messages` and `system`.
 */

const roles = ['system', 'user', 'assistant', 'tool'];
const ownParts = new Set(['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response']);

/** Parts that no other format has: text alone looks as it does for Chat Completions. */
const isOwnPart = (part: unknown): boolean =>
  isObject(part) &&
  (ownParts.has(String(part.type)) ||
    (part.type === 'file' && part.mediaType !== undefined) ||
    (part.type === 'image' && part.image !== undefined) ||
    (part.type === 'reasoning' && typeof part.text === 'string'));

export const isAiSdk = ({ entries }: SourceFile): boolean =>
  entries.length > 0 &&
  entries.every(({ value }) => typeof value.role === 'string' && 'content' in value) &&
  entries.some(({ value }) => arrayOr(value.content).some(isOwnPart));

export function readAiSdk(file: SourceFile): ReadSession {
  const { document } = file;
  return {
    format: 'ai-sdk',
    sessionId: textOrNull(document?.id),
    model: textOrNull(document?.model),
    system: textOrNull(document?.system),
    messages: listedMessages(file, roles, wrongContent),
    otherIds: new Set(),
    leftOut: new LeftOut(),
  };
}
