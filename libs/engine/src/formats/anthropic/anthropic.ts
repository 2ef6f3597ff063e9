import type { Body } from '../../messages/message.js';
import type { Format } from '../format.js';
import { isBody } from '../parts.js';
import { mendAnthropic } from './mend.js';
import { readAnthropic } from './read.js';
import { writeAnthropic } from './write.js';

/** Messages: https://docs.anthropic.com/en/api/messages. The system prompt is a field beside the messages. */
export const anthropic: Format = {
  name: 'anthropic',
  systemBeside: true,
  userFirst: true,
  read: readAnthropic,
  write: writeAnthropic,
  resultContent: (body, index) => resultBlocks(body)[index]?.content,
  withResultContent: (body, index, content) => {
    const block = resultBlocks(body)[index];
    const blocks = body.content as unknown[];
    return { ...body, content: blocks.map((b) => (b === block && block ? { ...block, content } : b)) };
  },
  asResultContent: (text) => text,
  mend: mendAnthropic,
};

const resultBlocks = (body: Body): Body[] =>
  Array.isArray(body.content)
    ? body.content.filter(isBody).filter((block) => block.type === 'tool_result')
    : [];
