import type { Body } from '../../messages/message.js';
import { emptyMessage } from '../parts.js';

/** An assistant message without any content is refused; its id goes with the content that it was the id of. */
export const mendResponses = (item: Body): Body =>
  item.role === 'assistant' && Array.isArray(item.content) && item.content.length === 0
    ? { role: 'assistant', content: emptyMessage }
    : item;
