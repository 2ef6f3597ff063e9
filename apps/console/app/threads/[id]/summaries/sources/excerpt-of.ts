import type { Schemas } from '@spillway/client';
import { readContent } from '../../messages/content/message-content';

const maxChars = 280;

/** A message in one or two lines, to check a summary against it. */
export function excerptOf({ role, message }: Schemas['Message']): { role: string; text: string } {
  const { text, toolCalls, otherParts } = readContent(message);
  const calls = toolCalls.map((call) => `${call.name}(${call.arguments})`);
  const whole = [text, ...calls, ...otherParts.map((part) => `[${part}]`)]
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { role, text: whole.length > maxChars ? `${whole.slice(0, maxChars)} …` : whole };
}
