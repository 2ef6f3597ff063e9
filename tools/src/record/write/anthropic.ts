import type { Turn, TurnResult, Written } from './turn.js';

const picture = (data: string): Written => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});

/** Anthropic messages. The system prompt is sent beside the messages, and is left out. */
export function writeAnthropic(turn: Turn): Written[] {
  switch (turn.kind) {
    case 'system':
      return [];
    case 'user':
      if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
      return [{ role: 'user', content: [...turn.images.map(picture), { type: 'text', text: turn.text }] }];
    case 'assistant': {
      if (turn.calls.length === 0) return [{ role: 'assistant', content: turn.text }];
      const text = turn.text === null ? [] : [{ type: 'text', text: turn.text }];
      const calls = turn.calls.map(({ id, tool, args }) => ({
        type: 'tool_use',
        id,
        name: tool,
        input: args,
      }));
      return [{ role: 'assistant', content: [...text, ...calls] }];
    }
    case 'results':
      return [{ role: 'user', content: turn.results.map(result) }];
  }
}

function result({ id, text, isError, image }: TurnResult): Written {
  const content = image === undefined ? text : [{ type: 'text', text }, picture(image)];
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}
