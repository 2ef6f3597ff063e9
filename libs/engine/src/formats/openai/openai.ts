import type { Format } from '../format.js';
import { markedAs } from '../parts.js';
import { mendOpenAI } from './mend.js';
import { readOpenAI } from './read.js';
import { writeOpenAI } from './write.js';

/** Chat completions: https://platform.openai.com/docs/api-reference/chat. Unknown fields are kept and counted. */
export const openai: Format = {
  name: 'openai',
  systemBeside: false,
  userFirst: false,
  read: readOpenAI,
  write: writeOpenAI,
  resultContent: (body) => body.content,
  withResultContent: (body, _index, content) => ({ ...body, content }),
  asResultContent: markedAs,
  mend: mendOpenAI,
};
