import type { Body } from '../../messages/message.js';
import { emptyMessage } from '../parts.js';

/** Providers refuse an assistant message without content; its id is removed with the content. */
export const mendResponses = (item: Body): Body =>
  item.role === 'assistant' && Array.isArray(item.content) && item.content.length === 0
    ? { role: 'assistant', content: emptyMessage }
    : item;
