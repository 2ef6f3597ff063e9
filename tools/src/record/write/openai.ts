import type { Said, Written } from './said.js';

const picture = (png: string): Written => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${png}` },
});

/** OpenAI chat completions. A tool message holds text only, so a picture follows as the user's. */
export function writeOpenAI(said: Said): Written[] {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', content: said.text }];
    case 'user':
      if (said.images.length === 0) return [{ role: 'user', content: said.text }];
      return [{ role: 'user', content: [{ type: 'text', text: said.text }, ...said.images.map(picture)] }];
    case 'assistant': {
      if (said.calls.length === 0) return [{ role: 'assistant', content: said.text }];
      const tool_calls = said.calls.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      return [{ role: 'assistant', content: said.text, tool_calls }];
    }
    case 'results': {
      const messages = said.results.map(({ id, tool, text }): Written => ({
        role: 'tool',
        tool_call_id: id,
        name: tool,
        content: text,
      })); // prettier-ignore
      const images = said.results.flatMap(({ image }) => (image === undefined ? [] : [picture(image)]));
      const shown = { role: 'user', content: [{ type: 'text', text: 'The pictures, in order:' }, ...images] };
      return images.length === 0 ? messages : [...messages, shown];
    }
  }
}
