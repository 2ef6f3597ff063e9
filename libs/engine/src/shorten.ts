import { countOpenAI } from './formats/openai.js';
import type { Body } from './message.js';
import { clipHead, clipTail } from './tokens/clip.js';
import type { CountTokens } from './tokens/counter.js';

/**
 * The message in at most about `tokens`: its long texts keep their head and tail around a mark that says what is
 * missing. Roles, ids and the shape stay, so the message remains valid where it stands.
 */
export function shortenMessage(body: Body, tokens: number, count: CountTokens): Body {
  const size = countOpenAI(body, count);
  if (size <= tokens) return body;
  // Each text gets its share of the space; a second pass takes back what marks and rounding cost.
  let share = tokens / size;
  let short = body;
  for (let pass = 0; pass < 6; pass++) {
    short = scaled(body, share, count);
    const used = countOpenAI(short, count);
    if (used <= tokens) return short;
    share *= (tokens / used) * 0.95;
  }
  return scaled(body, 0, count);
}

function scaled(body: Body, share: number, count: CountTokens): Body {
  const short: Body = { ...body };
  if (typeof body.content === 'string') short.content = shortenText(body.content, share, count);
  if (Array.isArray(body.content)) {
    short.content = (body.content as Body[])
      .filter((part) => typeof part.text === 'string')
      .map((part) => ({ ...part, text: shortenText(part.text as string, share, count) }));
    if ((short.content as Body[]).length === 0) short.content = '[content not shown]';
  }
  if (Array.isArray(body.tool_calls)) {
    short.tool_calls = (body.tool_calls as Body[]).map((call) => shortenCall(call, share, count));
  }
  return short;
}

function shortenCall(call: Body, share: number, count: CountTokens): Body {
  const fn = call.function as Body | undefined;
  if (typeof fn?.arguments !== 'string') return call;
  const input = fn.arguments;
  if (count(input) <= 32) return call;
  return {
    ...call,
    function: { ...fn, arguments: JSON.stringify({ shortened: shortenText(input, share, count) }) },
  };
}

/** Head and tail of a text, with the mark between them; short texts are left as they are. */
export function shortenText(text: string, share: number, count: CountTokens): string {
  const size = count(text);
  const room = Math.floor(size * share) - 12;
  if (size <= 32 || room >= size) return text;
  const head = clipHead(text, Math.ceil(room * 0.6), count);
  const tail = clipTail(text, Math.floor(room * 0.4), count);
  return `${head}\n[... about ${size - Math.max(0, room)} tokens not shown ...]\n${tail}`;
}
