import type { Turn, TurnResult, Written } from './turn.js';

const picture = (png: string): Written => ({
  type: 'input_image',
  detail: 'auto',
  image_url: `data:image/png;base64,${png}`,
});

/** Items of OpenAI's Responses. */
export function writeResponses(turn: Turn): Written[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'developer', content: turn.text }];
    case 'user':
      if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
      return [
        { role: 'user', content: [{ type: 'input_text', text: turn.text }, ...turn.images.map(picture)] },
      ];
    case 'assistant': {
      const text = { type: 'output_text', text: turn.text, annotations: [] };
      const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] };
      const calls = turn.calls.map(({ id, tool, args }) => ({
        type: 'function_call',
        call_id: id,
        name: tool,
        arguments: JSON.stringify(args),
        status: 'completed',
      }));
      return turn.text === null ? calls : [message, ...calls];
    }
    case 'results':
      return turn.results.map(result);
  }
}

const result = ({ id, text, image }: TurnResult): Written => ({
  type: 'function_call_output',
  call_id: id,
  output: image === undefined ? text : [{ type: 'input_text', text }, picture(image)],
});
