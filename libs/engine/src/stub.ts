import { headTail } from './preview/head-tail.js';
import type { Policy } from './policy.js';
import type { CountTokens } from './tokens/counter.js';

export interface OffloadedText {
  id: string;
  text: string;
  bytes: number;
  lines: number;
  tokens: number;
}

/**
 * What the model sees instead of an offloaded output: how large it is, its first and last lines, exactly what is
 * missing, and the calls that read the rest. Deterministic; the preview is bounded by `preview_tokens`.
 */
export function renderStub(output: OffloadedText, policy: Policy['outputs'], count: CountTokens): string {
  const preview = headTail(
    output.text,
    { head: policy.head_lines, tail: policy.tail_lines, tokens: policy.preview_tokens },
    count,
  );
  const { head, tail, omittedLines } = preview;
  return [
    `[Output ${output.id} is stored outside of the context: ${plural(output.lines, 'line')}, ${plural(output.bytes, 'byte')}, about ${output.tokens} tokens.]`,
    ...(head.length > 0 ? [`--- first ${plural(head.length, 'line')} ---`, ...head] : []),
    ...(omittedLines > 0 ? [`--- ${plural(omittedLines, 'line')} not shown ---`] : []),
    ...(tail.length > 0 ? [`--- last ${plural(tail.length, 'line')} ---`, ...tail] : []),
    `[Read more: read_output(id="${output.id}", lines="1-100") or grep_output(id="${output.id}", pattern="..."); over HTTP: GET /v1/outputs/${output.id}/content?lines=1-100 or /v1/outputs/${output.id}/grep?pattern=...]`,
  ].join('\n');
}

const plural = (n: number, noun: string): string =>
  `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
