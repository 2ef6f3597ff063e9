import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  apiOf,
  loadThread,
  trajectoriesFolder,
  type Api,
  type JsonMessage,
  type Stack,
} from '@spillway/testing';
import { round, type BenchResult, type Row } from './bench.js';

const trajectories = trajectoriesFolder();
/** Which identifiers are needed where. The repository doesn't hold it, nor its threads. */
const labels = resolve(trajectories, '../probes.json');
const target = 0.95;

interface Probe {
  value: string;
  /** Places in the thread's file, from 0. */
  first_seen: number;
  needed_at: number;
}
type Probes = Record<string, { probes: Probe[] }>;
type Found = 'context' | 'search' | 'nowhere';

/**
 * Identifiers that a real agent needed again: with everything before that place compacted as far as it goes, is each
 * still in the context, or else found by one search for it? Extractive summaries, the whole way over HTTP.
 */
export async function probes(stack: Stack): Promise<BenchResult> {
  const api = apiOf(stack);
  const about =
    'Identifiers that recorded agents needed again: with everything before that place compacted as far as it goes, is each in the context, or else found by one search for it?';
  if (!existsSync(labels)) {
    console.log(`  no ${labels}: not measured`);
    return { name: 'probes', about, rows: [], complaints: [] };
  }
  const files = Object.entries(JSON.parse(readFileSync(labels, 'utf8')) as Probes);
  const complaints: string[] = [];
  const found: Record<Found, number> = { context: 0, search: 0, nowhere: 0 };
  for (const [file, { probes: ofThread }] of files) {
    const messages = loadThread(resolve(trajectories, file));
    const id = file.replace('.jsonl', '');
    await api.createThread({ id, policy: { context: { context_window: 64_000 } } });
    let posted = 0;
    for (const probe of [...ofThread].sort((a, b) => a.needed_at - b.needed_at)) {
      if (!saysValue(messages[probe.first_seen]!, probe.value))
        complaints.push(`${id}: ${probe.value} is not at its place`);
      await post(api, id, messages.slice(posted, probe.needed_at));
      posted = probe.needed_at;
      await compactAll(api, id);
      const where = await lookFor(api, id, probe.value);
      found[where]++;
      if (where === 'nowhere')
        console.log(`  nowhere: ${id} message ${probe.first_seen + 1}: ${probe.value}`);
    }
    const [summary] = await api.summaries(id);
    if (!summary) complaints.push(`${id} was never compacted: nothing was measured`);
  }
  const total = found.context + found.search + found.nowhere;
  const share = (n: number): string => `${round((100 * n) / total, 0)} % (${n} of ${total})`;
  const row = (what: string, n: number, over: Partial<Row> = {}): Row => ({
    what,
    value: share(n),
    against: '',
    target: '',
    reached: null,
    ...over,
  });
  const together = found.context + found.search;
  return {
    name: 'probes',
    about,
    complaints,
    rows: [
      row('in the context after compaction', found.context),
      row('else found by one search', found.search),
      row('together', together, { target: '>= 95 %', reached: together / total >= target }),
    ],
  };
}

const saysValue = (message: JsonMessage, value: string): boolean =>
  textsIn(message).some((text) => text.includes(value));

/** All strings of a message, with JSON in strings (arguments of calls) read as well. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...(value.startsWith('{') ? textsIn(parsed(value)) : [])];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function post(api: Api, id: string, messages: readonly JsonMessage[]): Promise<void> {
  for (let i = 0; i < messages.length; i += 50) await api.append(id, ...messages.slice(i, i + 50));
}

/** Everything but the newest step, whatever it is worth. */
async function compactAll(api: Api, id: string): Promise<void> {
  const policy = { context: { trigger_ratio: 0.001, reserve_ratio: 0 } };
  await api.call('POST', `/v1/threads/${id}/compactions`, { policy, wait_ms: 30_000 });
}

async function lookFor(api: Api, id: string, value: string): Promise<Found> {
  const { messages } = await api.context(id);
  if (textsIn(messages).some((text) => text.includes(value))) return 'context';
  const query = `/v1/threads/${id}/search?limit=10&q=${encodeURIComponent(value)}`;
  const { body } = await api.call<{ data: { snippet: string }[] }>('GET', query);
  const flat = value.replace(/\s+/g, ' ');
  return body.data.some((hit) => hit.snippet.includes(flat)) ? 'search' : 'nowhere';
}
