import type { Body } from '../../messages/message.js';
import type { Format } from '../format.js';
import { isBody, stringOf } from '../parts.js';
import { mendAnthropic } from './mend.js';
import { readAnthropic } from './read.js';
import { toolUseId } from './tool-use-id.js';
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
  uniqueCallIds: 'context',
  allowedCallId: toolUseId,
  withCallIds: (body, ids) => {
    if (!Array.isArray(body.content)) return body;
    const content = body.content.map((block: unknown) => {
      if (!isBody(block)) return block;
      if (block.type === 'tool_use') return { ...block, id: ids.call(stringOf(block.id)) };
      return block.type === 'tool_result'
        ? { ...block, tool_use_id: ids.result(stringOf(block.tool_use_id)) }
        : block;
    });
    return { ...body, content };
  },
};

const resultBlocks = (body: Body): Body[] =>
  Array.isArray(body.content)
    ? body.content.filter(isBody).filter((block) => block.type === 'tool_result')
    : [];
