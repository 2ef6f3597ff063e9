import type { Schemas, SpillwayClient } from '@spillway/client';
import { answered } from './api.js';

export interface OutputSearch {
  stub: string;
  word: string;
  matches: Schemas['GrepResult']['matches'];
  scannedLines: number;
}

/**
 * Shows that an offloaded output is one search away: the stub the model sees, and a search in the whole output for
 * a word that the stub does not show. Null when no such word is found.
 */
export async function searchOutput(
  client: SpillwayClient,
  output: Schemas['Output'],
): Promise<OutputSearch | null> {
  if (output.seq === null) return null;
  const stub = await stubOf(client, output.thread_id, output.seq);
  const content = await client.GET('/v1/outputs/{id}/content', {
    params: { path: { id: output.id } },
    parseAs: 'text',
  });
  const word = tellingWord(String(answered(content, `read ${output.id}`)), stub);
  if (word === null) return null;
  const query = { pattern: word, limit: '3' };
  const found = answered(
    await client.GET('/v1/outputs/{id}/grep', { params: { path: { id: output.id }, query } }),
    `search ${output.id}`,
  );
  return { stub, word, matches: found.matches, scannedLines: found.scanned_lines };
}

async function stubOf(client: SpillwayClient, id: string, seq: number): Promise<string> {
  const query = { view: 'context' as const, after: `${seq - 1}`, limit: '1' };
  const page = answered(
    await client.GET('/v1/threads/{id}/messages', { params: { path: { id }, query } }),
    `read message ${seq} of ${id}`,
  );
  const content = page.data[0]?.message['content'];
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

/** A word worth looking for that the stub leaves out: from a line that speaks of an error, else from the middle. */
function tellingWord(text: string, stub: string): string | null {
  const lines = text.split('\n');
  const middle = lines.slice(Math.floor(lines.length / 2)).concat(lines);
  const candidates = [
    ...lines.filter((line) => /\b(error|fail(ed|ure)?|fatal|exception)\b/i.test(line)),
    ...middle,
  ];
  for (const line of candidates.slice(0, 2000)) {
    const words = line.match(/[A-Za-z][A-Za-z0-9_]{4,40}/g) ?? [];
    const word = words.toSorted((a, b) => b.length - a.length).find((each) => !stub.includes(each));
    if (word) return word;
  }
  return null;
}
