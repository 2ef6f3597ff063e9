import { createClient, type SpillwayClient } from '@spillway/client/typed';
import { answered } from './api.js';
import { aftermath } from './aftermath.js';
import { Checks } from './checks.js';
import { Latencies } from './latencies.js';
import { searchOutputs } from './output-search.js';
import { progress } from './progress.js';
import { replay } from './replay.js';
import { checkLines, type Finished, searchLines, summaryLines, threadLines } from './report.js';
import type { ThreadFile } from './thread-file.js';

export interface Demo {
  apiUrl: string;
  apiKey: string;
  files: ThreadFile[];
  window: number | null;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Replays all threads, reports, and returns whether every promise was kept. */
export async function runDemo({ apiUrl, apiKey, files, window, say, signal }: Demo): Promise<boolean> {
  const client = createClient({ baseUrl: apiUrl, key: apiKey });
  const [checks, appends, contexts] = [new Checks(), new Latencies(), new Latencies()];
  const finished: Finished[] = [];
  const taken = new Set<string>();
  for (const file of files) {
    const id = threadId(file, taken);
    await createThread(client, id, window ?? outgrownWindow(file));
    const bar = progress(file.name, file.messages.length);
    const replayed = await replay({ id, file }, { client, checks, appends, contexts, progress: bar, signal });
    const one = { replayed, aftermath: await aftermath(client, replayed, checks, signal) };
    finished.push(one);
    say(['', ...threadLines(one)].join('\n'));
  }
  const longest = finished.toSorted((a, b) => b.aftermath.summaries.length - a.aftermath.summaries.length)[0];
  if (longest) say(['', ...summaryLines(longest)].join('\n'));
  const search = await searchOutputs(
    client,
    finished.flatMap((each) => each.aftermath.outputs),
  );
  if (search) {
    checks.expect(
      'a word left out of a stub is found in the output',
      search.matches.length > 0,
      () => search.word,
    );
    say(['', ...searchLines(search)].join('\n'));
  }
  say(['', ...checkLines(checks, appends, contexts)].join('\n'));
  return !checks.failed;
}

async function createThread(client: SpillwayClient, id: string, window: number): Promise<void> {
  const policy = { context: { context_window: window } };
  answered(await client.POST('/v1/threads', { body: { id, policy } }), `create the thread ${id}`);
}

/** The file's name if it is a valid id; equal file names get different thread ids. */
function threadId(file: ThreadFile, taken: Set<string>): string {
  const name = file.name.replaceAll(/[^\w.:@-]/g, '-').slice(0, 150) || 'thread';
  let id = name;
  for (let n = 2; taken.has(id); n += 1) id = `${name}-${n}`;
  taken.add(id);
  return id;
}

/** The window of a small model, which all but very short threads outgrow. */
function outgrownWindow(file: ThreadFile): number {
  const tokens = JSON.stringify(file.messages).length / 4;
  if (tokens > 14_000) return 16_000;
  return tokens > 8_000 ? 12_000 : 8_000;
}
