import { randomUUID } from 'node:crypto';
import { checkKey } from './blob-store.js';

/**
 * Keys of blobs: a folder per thread, so that an agent may be given access to its own only (AgentScope), and media once
 * per project. Keys contain no client text.
 */
export const projectPrefix = (project: string): string => `${checkKey(project)}/`;

export const threadPrefix = (project: string, thread: string): string =>
  `${checkKey(`${project}/threads/${thread}`)}/`;

/** An offloaded output. Random, so that keys never collide, whatever the ids of the tool calls. */
export const outputKey = (project: string, thread: string): string =>
  `${threadPrefix(project, thread)}outputs/${randomUUID()}.txt`;

/** The posted content as JSON, for an output whose text cannot restore it. */
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

/** Padded, so that listings are sorted. */
const padded = (seq: number): string => String(seq).padStart(10, '0');
