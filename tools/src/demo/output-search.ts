import type { Schemas } from '@spillway/client';
import type { SpillwayClient } from '@spillway/client/typed';
import { answered } from './api.js';

export interface OutputSearch {
  stub: string;
  word: string;
  matches: Schemas['GrepResult']['matches'];
  scannedLines: number;
}

/** Maximum number of outputs searched, the largest first. */
const maxTried = 5;

/**
 * Finds a word that an output contains and its stub does not, preferably from a line with an error, and searches the
 * output for it. Null when there is none.
 */
export async function searchOutputs(
  client: SpillwayClient,
  outputs: readonly Schemas['Output'][],
): Promise<OutputSearch | null> {
  const largest = outputs.toSorted((a, b) => b.bytes - a.bytes).slice(0, maxTried);
  const stubs: { output: Schemas['Output']; stub: string; lines: string[] }[] = [];
  for (const output of largest) {
    if (output.seq === null) continue;
    const stub = await stubOf(client, output.thread_id, output.seq);
    stubs.push({ output, stub, lines: await linesOf(client, output.id) });
  }
  for (const choose of [errorLines, middleLines]) {
    for (const { output, stub, lines } of stubs) {
      const word = newWord(choose(lines), stub);
      if (word) return { stub, word, ...(await grep(client, output.id, word)) };
    }
  }
  return null;
}

async function grep(
  client: SpillwayClient,
  id: string,
  pattern: string,
): Promise<Pick<OutputSearch, 'matches' | 'scannedLines'>> {
  const query = { pattern, limit: 3 };
  const result = await client.GET('/v1/outputs/{id}/grep', { params: { path: { id }, query } });
  const found = answered(result, `search ${id}`);
  return { matches: found.matches, scannedLines: found.scanned_lines };
}

async function linesOf(client: SpillwayClient, id: string): Promise<string[]> {
  const result = await client.GET('/v1/outputs/{id}/content', { params: { path: { id } }, parseAs: 'text' });
  return String(answered(result, `read ${id}`)).split('\n');
}

async function stubOf(client: SpillwayClient, id: string, seq: number): Promise<string> {
  const query = { view: 'context' as const, after: seq - 1, limit: 1 };
  const page = answered(
    await client.GET('/v1/threads/{id}/messages', { params: { path: { id }, query } }),
    `read message ${seq} of ${id}`,
  );
  const content = page.data[0]?.message['content'];
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

const errorLines = (lines: string[]): string[] =>
  lines.filter((line) => line.length < 500 && /\b(error|fail(ed|ure)?|fatal|exception)\b/i.test(line));
const middleLines = (lines: string[]): string[] => lines.slice(Math.floor(lines.length / 2)).concat(lines);

/** The longest word that the stub does not contain, from the first line with such a word. */
function newWord(lines: string[], stub: string): string | null {
  for (const line of lines.slice(0, 2000)) {
    const words = line.match(/[A-Za-z][A-Za-z0-9_]{4,40}/g) ?? [];
    const word = words.toSorted((a, b) => b.length - a.length).find((each) => !stub.includes(each));
    if (word) return word;
  }
  return null;
}
