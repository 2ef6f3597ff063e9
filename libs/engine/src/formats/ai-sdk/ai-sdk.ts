import type { Body } from '../../messages/message.js';
import type { Format, MessageIds } from '../format.js';
import { emptyMessage, isBody, stringOf, withResultBlocks, withShorterInput } from '../parts.js';
import { aiSdkTexts, isProviderResult, withProviderText } from '../provider-results.js';
import { readAiSdk } from './read.js';
import { writeAiSdk } from './write.js';

/**
 * Model messages of the AI SDK (version 5 and later): https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 * Version 7 refuses system messages among them.
 */
export const aiSdk: Format = {
  systemBeside: true,
  laterSystem: 'nowhere',
  userFirst: false,
  read: readAiSdk,
  write: writeAiSdk,
  resultContents: (body) => resultParts(body).map((part) => (body.role === 'tool' ? part.output : part)),
  withResultContents: (body, contents) =>
    withResultBlocks(body, resultParts(body), contents, (part, output) =>
      body.role === 'tool' ? { ...part, output } : output,
    ),
  asResultContent,
  mend,
  shorterCall: withShorterInput,
  uniqueCallIds: 'context',
  allowedCallId: (id) => id,
  withCallIds,
};

function withCallIds(body: Body, ids: MessageIds): Body {
  if (!Array.isArray(body.content)) return body;
  const called = new Map<string, string>();
  const idIn = (part: Body, id: string): string | undefined => {
    if (part.type === 'tool-call' && part.providerExecuted !== true) {
      called.set(id, ids.call(id));
      return called.get(id);
    }
    // Asks whether the call before it may be made.
    if (part.type === 'tool-approval-request') return called.get(id);
    return part.type === 'tool-result' && body.role === 'tool' ? ids.result(id) : undefined;
  };
  const content = body.content.map((part: unknown) => {
    const toolCallId = isBody(part) ? idIn(part, stringOf(part.toolCallId)) : undefined;
    return toolCallId === undefined ? part : { ...(part as Body), toolCallId };
  });
  return { ...body, content };
}

/** An output of the same kind: errors and denials stay errors and denials. */
function asResultContent(text: string, inPlaceOf: unknown): Body {
  const ofProvider = withProviderText(aiSdkTexts, inPlaceOf, text);
  if (ofProvider) return ofProvider;
  const type = isBody(inPlaceOf) ? String(inPlaceOf.type) : '';
  if (type === 'execution-denied') return { type, reason: text };
  return { type: type.startsWith('error-') ? 'error-text' : 'text', value: text };
}

/** Results that tools answer with, or in a message of the assistant those that its provider made itself. */
function resultParts(body: Body): Body[] {
  const parts = Array.isArray(body.content) ? body.content.filter(isBody) : [];
  return parts.filter((part) =>
    body.role === 'tool' ? part.type === 'tool-result' : isProviderResult(aiSdkTexts, part),
  );
}

/** The SDK passes an empty message to the provider, and most providers refuse it. */
function mend(body: Body): Body {
  const { role, content } = body;
  if (role !== 'assistant' && role !== 'user') return body;
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  return isEmpty ? { ...body, content: emptyMessage } : body;
}
