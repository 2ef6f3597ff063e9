import { expect, test } from 'vitest';
import { erasedBody, type Body, type FormatName } from '../index.js';

const secret = 'a secret';
const caller = { type: 'code_execution_20250825', tool_id: 'srv' };

test.each<[string, FormatName, Body, Body]>([
  [
    'the calls of an assistant, without their arguments',
    'openai',
    {
      role: 'assistant',
      content: secret,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: `{"x":"${secret}"}` } }],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
  ],
  [
    'answers to requests for approval, without their reasons',
    'ai-sdk',
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false, reason: secret }],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false }] },
  ],
  [
    'nothing of a message of a tool without results',
    'ai-sdk',
    { role: 'tool', content: [{ type: 'newer', text: secret }] },
    { role: 'user', content: '[This message was erased.]' },
  ],
  [
    "a system message's role",
    'ai-sdk',
    { role: 'system', content: secret },
    { role: 'system', content: '[This message was erased.]' },
  ],
  [
    'a call of the provider whose result is in a later message, and the calls of the program that it is',
    'anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: secret },
        { type: 'server_tool_use', id: 'srv', name: 'code_execution', input: { code: secret } },
        { type: 'tool_use', id: 'a', name: 'run', input: { x: secret }, caller },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srv', name: 'code_execution', input: {} },
        { type: 'tool_use', id: 'a', name: 'run', input: {}, caller },
      ],
    },
  ],
  [
    'a result of the provider whose call is in an earlier message, as an error',
    'anthropic',
    {
      role: 'assistant',
      content: [
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srv',
          content: { type: 'code_execution_result', stdout: secret, stderr: '', return_code: 0, content: [] },
        },
        { type: 'text', text: secret },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srv',
          content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' },
        },
      ],
    },
  ],
  [
    'nothing of what the provider ran within it',
    'anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: secret } },
        { type: 'web_search_tool_result', tool_use_id: 'srv', content: [{ title: secret }] },
      ],
    },
    { role: 'assistant', content: '[This message was erased.]' },
  ],
  [
    'a call that the provider executes later',
    'ai-sdk',
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'srv',
          toolName: 'code',
          input: { code: secret },
          providerExecuted: true,
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'srv', toolName: 'code', input: {}, providerExecuted: true },
      ],
    },
  ],
])('an erased message keeps %s', (_what, format, body, erased) => {
  expect(erasedBody({ format, body })).toEqual(erased);
});

const outcome = { type: 'exit', exit_code: 2 };
const operation = { type: 'update_file', path: secret, diff: secret };
test.each<[Body, Body]>([
  [
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'run', arguments: `{"x":"${secret}"}` },
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'run', arguments: '{}' },
  ],
  [
    { type: 'custom_tool_call', id: 'ct_1', call_id: 'a', name: 'run', input: secret },
    { type: 'custom_tool_call', id: 'ct_1', call_id: 'a', name: 'run', input: '' },
  ],
  [
    { type: 'custom_tool_call_output', call_id: 'a', output: secret },
    { type: 'custom_tool_call_output', call_id: 'a', output: '[This message was erased.]' },
  ],
  [
    { type: 'shell_call', id: 'sh_1', call_id: 'a', action: { commands: [secret] }, status: 'completed' },
    {
      type: 'shell_call',
      id: 'sh_1',
      call_id: 'a',
      action: { commands: ['[This message was erased.]'] },
      status: 'completed',
    },
  ],
  [
    { type: 'shell_call_output', call_id: 'a', output: [{ stdout: secret, stderr: secret, outcome }] },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: '[This message was erased.]', stderr: '', outcome }],
    },
  ],
  [
    { type: 'apply_patch_call', id: 'ap_1', call_id: 'a', status: 'completed', operation },
    {
      type: 'apply_patch_call',
      id: 'ap_1',
      call_id: 'a',
      status: 'completed',
      operation: { type: 'update_file', path: '[This message was erased.]', diff: '' },
    },
  ],
  [
    {
      type: 'computer_call_output',
      call_id: 'a',
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${secret}` },
      acknowledged_safety_checks: [{ id: 'sc', message: secret }],
    },
    {
      type: 'computer_call_output',
      call_id: 'a',
      output: {
        type: 'computer_screenshot',
        image_url: expect.stringMatching(/^data:image\/png;base64,/) as unknown,
      },
    },
  ],
  [
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: secret }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: '[This message was erased.]', annotations: [] }],
    },
  ],
  [
    { role: 'user', content: secret },
    { role: 'user', content: '[This message was erased.]' },
  ],
  [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: secret }],
      encrypted_content: secret,
    },
    { type: 'reasoning', summary: [] },
  ],
  [
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: secret } },
    { type: 'message', role: 'assistant', content: '[This message was erased.]' },
  ],
])('an erased item of Responses keeps its type and its ids: %j', (body, erased) => {
  const shown = erasedBody({ format: 'responses', body });
  expect(shown).toEqual(erased);
  expect(JSON.stringify(shown)).not.toContain(secret);
});
