import type { Body, CallPart, Part } from '../../messages/message.js';
import { isBody, markedAs, nativeIn, readContent, stringOf } from '../parts.js';
import { readPart } from './read-part.js';

/** What a call returned: a string, a list of content parts, or what a built-in tool returns. */
export function readOutput(output: unknown): Part[] {
  if (isShellOutput(output)) return readContent(output.map(textOfShell).join('\n'), readPart);
  if (typeof output === 'string' || (Array.isArray(output) && output.every(isContentPart)))
    return readContent(output, readPart);
  if (isScreenshot(output)) return [readPart({ ...output, type: 'input_image' })];
  return output === undefined || output === null ? [] : [{ type: 'text', text: JSON.stringify(output) }];
}

/** Another text as the output of the same call, in the shape that its item requires. An error stays an error. */
export function textAsOutput(text: string, inPlaceOf: unknown): unknown {
  if (!isShellOutput(inPlaceOf)) return markedAs(text, inPlaceOf);
  return [{ ...inPlaceOf.at(-1), stdout: text, stderr: '' }];
}

/** The field of an output in which its call is named. OpenAI's types have it as the id of the output of a local shell. */
export const callIdField = ({ type, call_id: callId }: Body): 'call_id' | 'id' =>
  type === 'local_shell_call_output' && typeof callId !== 'string' ? 'id' : 'call_id';

const typeOf = (call: CallPart): string =>
  stringOf(nativeIn(call, 'responses')?.type) || (call.custom ? 'custom_tool_call' : 'function_call');

/** The item that answers a call, in the shape that the type of the call requires. */
export function outputItem(call: CallPart | undefined, callId: string, output: unknown): Body {
  const of = call ? typeOf(call) : 'function_call';
  const item = { type: `${of}_output`, call_id: callId };
  if (of === 'shell_call') {
    // Whether the command ended is not known.
    const printed = { stdout: output, stderr: '', outcome: { type: 'timeout' } };
    return { ...item, output: [printed] };
  }
  if (of === 'apply_patch_call') return { ...item, status: 'failed', output };
  return { ...item, output };
}

/** Whether a text may answer the call: a computer answers with a picture, and a search for tools with tools. */
export const takesText = (call: CallPart): boolean =>
  !['computer_call', 'tool_search_call'].includes(typeOf(call));

/** The output of a computer is a picture: the API takes no text in its place. */
export const isScreenshot = (output: unknown): output is Body =>
  isBody(output) && output.type === 'computer_screenshot';

const isContentPart = (part: unknown): boolean =>
  isBody(part) && /^(input|output)_(text|image|file)$/.test(stringOf(part.type));

/** What commands of the shell tool printed, each with its outcome. */
const isShellOutput = (output: unknown): output is Body[] =>
  Array.isArray(output) &&
  output.length > 0 &&
  output.every((one) => isBody(one) && typeof one.stdout === 'string');

function textOfShell({ stdout, stderr, outcome }: Body): string {
  const { type, exit_code: code } = isBody(outcome) ? outcome : {};
  const ended =
    type === 'timeout' ? 'timed out' : typeof code === 'number' && code !== 0 ? `exit code ${code}` : '';
  return [stringOf(stdout), stringOf(stderr), ended].filter((text) => text !== '').join('\n');
}
