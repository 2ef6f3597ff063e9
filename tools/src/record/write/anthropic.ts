import type { Said, SaidResult, Written } from './said.js';

const picture = (data: string): Written => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});

/** Anthropic messages. The system prompt is no message there: it goes beside them, and is left out. */
export function writeAnthropic(said: Said): Written[] {
  switch (said.kind) {
    case 'system':
      return [];
    case 'user':
      if (said.images.length === 0) return [{ role: 'user', content: said.text }];
      return [{ role: 'user', content: [...said.images.map(picture), { type: 'text', text: said.text }] }];
    case 'assistant': {
      if (said.calls.length === 0) return [{ role: 'assistant', content: said.text }];
      const text = said.text === null ? [] : [{ type: 'text', text: said.text }];
      const calls = said.calls.map(({ id, tool, args }) => ({
        type: 'tool_use',
        id,
        name: tool,
        input: args,
      }));
      return [{ role: 'assistant', content: [...text, ...calls] }];
    }
    case 'results':
      return [{ role: 'user', content: said.results.map(result) }];
  }
}

function result({ id, text, isError, image }: SaidResult): Written {
  const content = image === undefined ? text : [{ type: 'text', text }, picture(image)];
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}
