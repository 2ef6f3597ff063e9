import type { Body } from '../../messages/message.js';
import { emptyMessage } from '../parts.js';

/** The SDK passes an empty message to the provider, and most providers refuse it. */
export function mendAiSdk(body: Body): Body {
  const { role, content } = body;
  if (role !== 'assistant' && role !== 'user') return body;
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  return isEmpty ? { ...body, content: emptyMessage } : body;
}
