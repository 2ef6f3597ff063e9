import type { Body } from '../../messages/message.js';
import type { Format } from '../format.js';
import { isBody, stringOf, withResultBlocks, withShorterInput } from '../parts.js';
import { anthropicTexts, isProviderResult, withProviderText } from '../provider-results.js';
import { mendAnthropic } from './mend.js';
import { readAnthropic } from './read.js';
import { toolUseId, writeAnthropic } from './write.js';

/** Messages: https://docs.anthropic.com/en/api/messages. The system prompt is a field beside the messages. */
export const anthropic: Format = {
  systemBeside: true,
  laterSystem: 'between',
  userFirst: true,
  read: readAnthropic,
  write: writeAnthropic,
  resultContents: (body) =>
    resultBlocks(body).map((block) => (block.type === 'tool_result' ? block.content : block)),
  withResultContents: (body, contents) =>
    withResultBlocks(body, resultBlocks(body), contents, (block, content) =>
      block.type === 'tool_result' ? { ...block, content } : content,
    ),
  asResultContent: (text, inPlaceOf) => withProviderText(anthropicTexts, inPlaceOf, text) ?? text,
  mend: mendAnthropic,
  shorterCall: withShorterInput,
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

function resultBlocks(body: Body): Body[] {
  const blocks = Array.isArray(body.content) ? body.content.filter(isBody) : [];
  return [
    ...blocks.filter((block) => block.type === 'tool_result'),
    ...blocks.filter((block) => isProviderResult(anthropicTexts, block)),
  ];
}
