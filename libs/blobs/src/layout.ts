import { randomUUID } from 'node:crypto';
import { checkKey } from './blob-store.js';

/**
 * Where things are, in AgentScope's sense: a folder for each thread, so that an agent may be given its own and nothing
 * else, and media once for the same bytes in a project. Names are ours throughout: no client's text is in any key.
 */
export const projectPrefix = (project: string): string => `${checkKey(project)}/`;

export const threadPrefix = (project: string, thread: string): string =>
  `${checkKey(`${project}/threads/${thread}`)}/`;

/** An offloaded output. Random, so that two of them never meet, whatever the ids of their tool calls. */
export const outputKey = (project: string, thread: string): string =>
  `${threadPrefix(project, thread)}outputs/${randomUUID()}.txt`;

/** The content as it was posted, as JSON, beside the text of an output that cannot give it back. */
export const originalKeyOf = (key: string): string => checkKey(key.replace(/\.txt$/, '.original.json'));

/** Archived messages, one JSON a line. Named by their range, so that writing a file again is harmless. */
export const contextKey = (project: string, thread: string, fromSeq: number, toSeq: number): string =>
  `${contextPrefix(project, thread)}${padded(fromSeq)}-${padded(toSeq)}.jsonl`;

export const contextPrefix = (project: string, thread: string): string =>
  `${threadPrefix(project, thread)}context/`;

/** The range of an archived file, by its name. Null for any other key. */
export function contextRange(key: string): { from: number; to: number } | null {
  const match = /\/context\/(\d{10})-(\d{10})\.jsonl$/.exec(key);
  return match ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

/** Media are one blob for the same bytes in a project. */
export const mediaKey = (project: string, sha256: string, extension: string): string =>
  checkKey(`${project}/media/${sha256}.${extension}`);

/** So that a listing is in order. */
const padded = (seq: number): string => String(seq).padStart(10, '0');
