/** One conversation with all that a format can say, as its provider's documentation has it. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const conversations = {
  openai: [
    { role: 'system', content: 'You are careful.' },
    {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is in these?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'low' } },
        { type: 'file', file: { file_id: 'file-abc', filename: 'a.pdf' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I look at both.',
      reasoning_content: 'They want two things.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at": "a"}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'query', input: 'SELECT 1' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', name: 'look', content: 'a cat' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'no such table' }] },
    { role: 'assistant', content: null, refusal: 'I can not say more.' },
    { role: 'user', content: 'Go on.' },
  ],
  responses: [
    { role: 'developer', content: 'You are careful.' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is in these?' },
        { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
        { type: 'input_file', file_id: 'file-abc' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'They want two things.' }],
      encrypted_content: 'gAAAA',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I look at both.', annotations: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'look',
      arguments: '{"at": "a"}',
      status: 'completed',
    },
    { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_2', name: 'query', input: 'SELECT 1' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'a cat' }] },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'no such table' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'cats' } },
    {
      type: 'message',
      id: 'msg_2',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'refusal', refusal: 'I can not say more.' }],
    },
    { role: 'user', content: 'Go on.' },
  ],
  anthropic: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in these?', cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' }, title: 'a.pdf' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'They want two things.', signature: 'EqQB' },
        { type: 'redacted_thinking', data: 'EmwKAhgB' },
        { type: 'text', text: 'I look at both.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'query', input: { sql: 'SELECT 1' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a cat' }] },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such table', is_error: true },
        { type: 'text', text: 'Mind the second one.' },
      ],
    },
    { role: 'assistant', content: 'I can not say more.' },
    { role: 'user', content: 'Go on.' },
  ],
  'ai-sdk': [
    {
      role: 'system',
      content: 'You are careful.',
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in these?' },
        { type: 'image', image: png, mediaType: 'image/png' },
        { type: 'file', data: 'https://example.com/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'They want two things.',
          providerOptions: { anthropic: { signature: 'EqQB' } },
        },
        { type: 'text', text: 'I look at both.' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { at: 'a' } },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'query', input: { sql: 'SELECT 1' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'look',
          output: { type: 'json', value: { animal: 'cat' } },
        },
        {
          type: 'tool-result',
          toolCallId: 'call_2',
          toolName: 'query',
          output: { type: 'error-text', value: 'no such table' },
        },
      ],
    },
    { role: 'assistant', content: 'I can not say more.' },
    { role: 'user', content: 'Go on.' },
  ],
} as const;
