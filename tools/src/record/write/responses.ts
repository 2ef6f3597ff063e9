import type { Said, SaidResult, Written } from './said.js';

const picture = (png: string): Written => ({
  type: 'input_image',
  detail: 'auto',
  image_url: `data:image/png;base64,${png}`,
});

/** Items of OpenAI's Responses. */
export function writeResponses(said: Said): Written[] {
  switch (said.kind) {
    case 'system':
      return [{ role: 'developer', content: said.text }];
    case 'user':
      if (said.images.length === 0) return [{ role: 'user', content: said.text }];
      return [
        { role: 'user', content: [{ type: 'input_text', text: said.text }, ...said.images.map(picture)] },
      ];
    case 'assistant': {
      const text = { type: 'output_text', text: said.text, annotations: [] };
      const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] };
      const calls = said.calls.map(({ id, tool, args }) => ({
        type: 'function_call',
        call_id: id,
        name: tool,
        arguments: JSON.stringify(args),
        status: 'completed',
      }));
      return said.text === null ? calls : [message, ...calls];
    }
    case 'results':
      return said.results.map(result);
  }
}

const result = ({ id, text, image }: SaidResult): Written => ({
  type: 'function_call_output',
  call_id: id,
  output: image === undefined ? text : [{ type: 'input_text', text }, picture(image)],
});
