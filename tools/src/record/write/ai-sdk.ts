import type { Turn, TurnResult, Written } from './turn.js';

const picture = (image: string): Written => ({ type: 'image', image, mediaType: 'image/png' });

/** Model messages of the AI SDK. A result that is JSON is kept as a value. */
export function writeAiSdk(turn: Turn): Written[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'system', content: turn.text }];
    case 'user':
      if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
      return [{ role: 'user', content: [{ type: 'text', text: turn.text }, ...turn.images.map(picture)] }];
    case 'assistant': {
      if (turn.calls.length === 0) return [{ role: 'assistant', content: turn.text }];
      const text = turn.text === null ? [] : [{ type: 'text', text: turn.text }];
      const calls = turn.calls.map(({ id, tool, args }) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: tool,
        input: args,
      }));
      return [{ role: 'assistant', content: [...text, ...calls] }];
    }
    case 'results':
      return [{ role: 'tool', content: turn.results.map(result) }];
  }
}

function result({ id, tool, text, isError, image }: TurnResult): Written {
  return { type: 'tool-result', toolCallId: id, toolName: tool, output: output(text, isError, image) };
}

function output(text: string, isError: boolean, image?: string): Written {
  if (image !== undefined) {
    const media = { type: 'media', data: image, mediaType: 'image/png' };
    return { type: 'content', value: [{ type: 'text', text }, media] };
  }
  const value = parsed(text);
  if (value === undefined) return { type: isError ? 'error-text' : 'text', value: text };
  return { type: isError ? 'error-json' : 'json', value };
}

/** The value, when the text is a JSON object or array. */
function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
