import type { Body } from '@spillway/engine';
import { isObject } from './wire-api.js';

/** The fields that Google takes with underscores as well, as its own examples have them; of those that a proxy reads. */
const names: Record<string, string> = {
  system_instruction: 'systemInstruction',
  cached_content: 'cachedContent',
  continuation_token: 'continuationToken',
  function_declarations: 'functionDeclarations',
  parameters_json_schema: 'parametersJsonSchema',
  thought_signature: 'thoughtSignature',
  function_call: 'functionCall',
  function_response: 'functionResponse',
  inline_data: 'inlineData',
  file_data: 'fileData',
  executable_code: 'executableCode',
  code_execution_result: 'codeExecutionResult',
  mime_type: 'mimeType',
  file_uri: 'fileUri',
  display_name: 'displayName',
};

/** Where a message has messages of its own: what stands elsewhere, such as arguments and schemas, is the caller's. */
const within: Record<string, readonly string[]> = {
  '': ['contents', 'systemInstruction', 'tools'],
  contents: ['parts'],
  systemInstruction: ['parts'],
  tools: ['functionDeclarations'],
  parts: [
    'functionCall',
    'functionResponse',
    'inlineData',
    'fileData',
    'executableCode',
    'codeExecutionResult',
  ],
  functionResponse: ['parts'],
};
const lists = new Set(['contents', 'parts', 'tools', 'functionDeclarations']);

/**
 * Returns a request of Gemini's API with the names that its SDKs send, and with lists where Google takes a single object
 * too. A body that is no object is returned as it is.
 */
export const withGeminiNames = (body: unknown): unknown => named(body, '');

function named(value: unknown, of: string): unknown {
  if (!isObject(value)) return value;
  const renamed: Body = {};
  for (const [name, field] of Object.entries(value)) {
    const to = Object.hasOwn(names, name) ? names[name]! : name;
    renamed[to] = within[of]?.includes(to) ? listed(field, to) : field;
  }
  return renamed;
}

function listed(value: unknown, of: string): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, of));
  const one = named(value, of);
  return lists.has(of) && isObject(one) ? [one] : one;
}
