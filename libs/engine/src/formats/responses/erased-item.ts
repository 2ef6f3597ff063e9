import type { Body } from '../../messages/message.js';
import { isBody, stringOf } from '../parts.js';
import { isScreenshot, textAsOutput } from './outputs.js';
import { isResultItem } from './read.js';

/** Fields that name an item or that others refer to. What it says stands in other fields. */
const tieFields = new Set([
  'type',
  'id',
  'call_id',
  'role',
  'name',
  'namespace',
  'status',
  'caller',
  'execution',
  'server_label',
  'approval_request_id',
  'approve',
]);

/** What is left of the fields in which an item says something, in the shape that the API requires. */
const emptied: Readonly<Record<string, (item: Body, text: string) => Body>> = {
  message: ({ role, id }, text) =>
    // An answer with an id is a list of parts.
    role === 'assistant' && typeof id === 'string'
      ? { content: [{ type: 'output_text', text, annotations: [] }] }
      : { content: text },
  function_call: () => ({ arguments: '{}' }),
  custom_tool_call: () => ({ input: '' }),
  shell_call: (_item, text) => ({ action: { commands: [text] } }),
  local_shell_call: (_item, text) => ({ action: { type: 'exec', command: [text], env: {} } }),
  apply_patch_call: ({ operation }, path) => ({ operation: emptiedPatch(operation, path) }),
  computer_call: () => ({ action: { type: 'screenshot' }, pending_safety_checks: [] }),
  tool_search_call: () => ({ arguments: {} }),
  tool_search_output: () => ({ tools: [] }),
  mcp_approval_request: () => ({ arguments: '{}' }),
  mcp_approval_response: () => ({}),
  program: ({ fingerprint }) => ({ code: '', fingerprint }),
  program_output: () => ({ result: '' }),
};

/** A picture of one pixel: the output of a computer can be nothing else. */
const emptyPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * The item with a text in place of what it says. Its type and its ids stay: the items around it refer to them. Of
 * reasoning nothing stays but that there was some. Undefined for an item that the provider made itself and to which no
 * other refers.
 */
export function erasedItem(item: Body, text: string): Body | undefined {
  const type = stringOf(item.type) || 'message';
  if (type === 'reasoning') return { type, summary: [] };
  const ties = Object.fromEntries(Object.entries(item).filter(([key]) => tieFields.has(key)));
  const empty = emptied[type];
  if (empty) return { ...ties, ...empty(item, text) };
  if (!isResultItem(item)) return undefined;
  const output = isScreenshot(item.output)
    ? { type: item.output.type, image_url: emptyPicture }
    : textAsOutput(text, item.output);
  return { ...ties, output };
}

/** Whether an item is what is left of erased reasoning. */
export const isErasedReasoning = ({ type, summary, ...rest }: Body): boolean =>
  type === 'reasoning' && Array.isArray(summary) && summary.length === 0 && Object.keys(rest).length === 0;

function emptiedPatch(operation: unknown, path: string): Body {
  const { type, diff } = isBody(operation) ? operation : {};
  return { type, path, ...(typeof diff === 'string' ? { diff: '' } : {}) };
}
