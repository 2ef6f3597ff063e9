import type { GeminiContent, GeminiPart } from './content.js';

/**
 * Returns contents with each answer of the model as one content. The SDK keeps every piece of a streamed answer as a
 * content of its own, with empty ones among them.
 */
export function wholeAnswers(contents: readonly GeminiContent[]): GeminiContent[] {
  const whole: GeminiContent[] = [];
  for (const content of contents) {
    const last = whole.at(-1);
    if (content.role !== 'model') whole.push(content);
    else if (last?.role === 'model') last.parts!.push(...(content.parts ?? []));
    else whole.push({ ...content, parts: [...(content.parts ?? [])] });
  }
  return whole.map((content) =>
    content.role === 'model' ? { ...content, parts: joinedTexts(content.parts!) } : content,
  );
}

/** Joins pieces of one text. A signature stays with the piece that it came with, as Google's documents ask for. */
function joinedTexts(parts: readonly GeminiPart[]): GeminiPart[] {
  const joined: GeminiPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && isPlainText(last) && isPlainText(part) && last.thought === part.thought)
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else if (!isPlainText(part) || part.text !== '') joined.push(part);
  }
  return joined;
}

const isPlainText = (part: GeminiPart): part is GeminiPart & { text: string } =>
  part.text !== undefined && Object.keys(part).every((field) => field === 'text' || field === 'thought');
