import type { Turn, Written } from './turn.js';

const picture = (png: string): Written => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${png}` },
});

/** OpenAI chat completions. A tool message holds text only, so a picture follows as the user's. */
export function writeOpenAI(turn: Turn): Written[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'system', content: turn.text }];
    case 'user':
      if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
      return [{ role: 'user', content: [{ type: 'text', text: turn.text }, ...turn.images.map(picture)] }];
    case 'assistant': {
      if (turn.calls.length === 0) return [{ role: 'assistant', content: turn.text }];
      const tool_calls = turn.calls.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      return [{ role: 'assistant', content: turn.text, tool_calls }];
    }
    case 'results': {
      const messages = turn.results.map(({ id, tool, text }): Written => ({
        role: 'tool',
        tool_call_id: id,
        name: tool,
        content: text,
      })); // prettier-ignore
      const images = turn.results.flatMap(({ image }) => (image === undefined ? [] : [picture(image)]));
      const shown = { role: 'user', content: [{ type: 'text', text: 'The pictures, in order:' }, ...images] };
      return images.length === 0 ? messages : [...messages, shown];
    }
  }
}
