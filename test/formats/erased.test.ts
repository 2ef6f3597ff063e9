import { apiOf, providerComplaint, type Api, type JsonMessage } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';
import { conversations } from './conversations.js';

type Format = keyof typeof conversations;
const names = Object.keys(conversations) as Format[];

let api: Api;
beforeAll(async () => {
  api = apiOf(await borrowedStack('api'));
});

const builtIn = {
  responses: [
    { role: 'user', content: 'go' },
    { type: 'shell_call', id: 'sh_1', call_id: 'a', action: { commands: ['ls'] }, status: 'completed' },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    { type: 'computer_call', id: 'cu_1', call_id: 'b', action: { type: 'click' }, pending_safety_checks: [] },
    {
      type: 'computer_call_output',
      call_id: 'b',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    },
    { role: 'user', content: 'Thanks.' },
  ],
  anthropic: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srv', name: 'code_execution', input: { code: 'rows()' } },
        {
          type: 'tool_use',
          id: 'a',
          name: 'rows',
          input: {},
          caller: { type: 'code_execution_20250825', tool_id: 'srv' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '42' }] },
    {
      role: 'assistant',
      content: [
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srv',
          content: { type: 'code_execution_result', stdout: '42', stderr: '', return_code: 0, content: [] },
        },
        { type: 'text', text: 'It is 42.' },
      ],
    },
    { role: 'user', content: 'Thanks.' },
  ],
};

test.each([
  ...names.map((format) => [format, 'a conversation', conversations[format]] as const),
  ['responses', 'tools of OpenAI that the caller runs', builtIn.responses] as const,
  ['anthropic', 'a program of Claude that calls tools', builtIn.anthropic] as const,
])('whichever message is erased, what is left is valid: %s, %s', async (format, what, messages) => {
  for (const [i] of messages.entries()) {
    const thread = `erased-${format}-${what.length}-${i}`;
    await api.call('POST', `/v1/threads/${thread}/messages?format=${format}`, { messages });
    expect((await api.call('DELETE', `/v1/threads/${thread}/messages/${i + 1}`)).status).toBe(204);
    for (const target of names) {
      const context = await api.context(thread, `?format=${target}`);
      const complaint = providerComplaint(context.messages as JsonMessage[], target);
      expect(complaint, `message ${i + 1} as ${target}`).toBeNull();
    }
  }
});
