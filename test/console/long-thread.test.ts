import { apiOf, longestSample, until } from '@spillway/testing';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busy } from '../busy.js';
import { startConsoleRig, type ConsoleRig } from './console-rig.js';

const copies = 10;
/** What is promised on a machine that has room; the best of some runs counts, and of a busy one less is asked. */
const target = { interactiveMs: 2_000, framesPerSecond: 50 };
const most = { nodes: 3_000, responseBytes: 300_000 };
const runs = 3;

let rig: ConsoleRig;
let total: number;

beforeAll(async () => {
  rig = await startConsoleRig();
  const api = apiOf(rig.stack);
  const { messages } = longestSample();
  await api.createThread({ id: 'long', policy: { context: { context_window: 32_000 } } });
  // Ids of calls are unique within a thread, as an agent's are.
  for (let copy = 0; copy < copies; copy++) {
    const text = JSON.stringify(messages).replaceAll(/"call_\w+/g, (id) => `${id}_${copy}`);
    const renamed = JSON.parse(text) as object[];
    for (let i = 0; i < renamed.length; i += 500) await api.append('long', ...renamed.slice(i, i + 500));
  }
  total = (await api.thread('long')).last_seq;
  await until('it is compacted', async () => (await api.thread('long')).compaction.state === 'idle', 240_000);
}, 600_000);
afterAll(() => rig?.stop());

/** A browser in front of the console, with the size of every answer it gets. */
async function signedIn(): Promise<{ page: Page; cdp: CDPSession; answers: Map<string, number> }> {
  const { page } = await rig.open();
  page.context().setDefaultTimeout(60_000);
  await rig.signIn(page);
  const answers = new Map<string, number>();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const urls = new Map<string, string>();
  cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  cdp.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const url = urls.get(requestId);
    if (url) answers.set(url, (answers.get(url) ?? 0) + dataLength);
  });
  return { page, cdp, answers };
}

const countNodes = (page: Page) => page.evaluate<number>(`document.querySelectorAll('*').length`);

test('the page of a thread of 12,000 messages answers to a key within two seconds', async () => {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { page, answers } = await signedIn();
    const started = Date.now();
    await page.goto(`${rig.site.url}/threads/long`, { waitUntil: 'commit' });
    await page.locator(`article[aria-label="Message ${total}"] header`).waitFor();
    // The key is pressed again until it is answered: the first time it is may be before the page listens.
    do await page.keyboard.press('k');
    while ((await page.locator('article[data-selected="true"]').count()) === 0);
    times.push(Date.now() - started);
    const largest = [...answers].filter(([url]) => !url.includes('/_next/')).sort((a, b) => b[1] - a[1])[0]!;
    console.log(
      `run ${run + 1}: ${total} messages, interactive in ${times.at(-1)} ms, ${await countNodes(page)} elements, ` +
        `largest answer ${largest[1]} bytes (${new URL(largest[0]).pathname})`,
    );
    expect(await countNodes(page)).toBeLessThan(most.nodes);
    expect(largest[1]).toBeLessThan(most.responseBytes);
    await page.context().close();
  }
  const best = Math.min(...times);
  expect(best, `interactive in ${best} ms; all runs: ${times.join(', ')} ms`).toBeLessThan(
    target.interactiveMs * busy(),
  );
}, 300_000);

test('it scrolls at 50 frames a second and more, through messages that are loaded on the way', async () => {
  const { page, cdp, answers } = await signedIn();
  await page.goto(`${rig.site.url}/threads/long?seq=6000`);
  await page.locator('article[aria-label="Message 6000"] header').waitFor();
  await page.waitForTimeout(1_500);
  const measured: { byFrames: number; byTrace: number }[] = [];
  let nodes = 0;
  for (let run = 0; run < runs; run++) {
    const trace = await traced(cdp, () => scrollFor(page, 4_000));
    measured.push({ byFrames: trace.result.framesPerSecond, byTrace: trace.framesPerSecond });
    nodes = Math.max(nodes, trace.result.nodes);
    console.log(
      `run ${run + 1}: ${trace.result.framesPerSecond.toFixed(1)} frames a second by requestAnimationFrame, ` +
        `${trace.framesPerSecond.toFixed(1)} drawn by Chromium's trace, ${trace.result.pixels} pixels, ` +
        `longest frame ${trace.result.longestMs.toFixed(0)} ms, ${trace.result.nodes} elements at most`,
    );
  }
  expect(nodes).toBeLessThan(most.nodes);
  for (const [url, bytes] of answers) expect(bytes, url).toBeLessThan(most.responseBytes);
  const said = measured.map((one) => `${one.byFrames.toFixed(1)}/${one.byTrace.toFixed(1)}`).join(', ');
  for (const by of ['byFrames', 'byTrace'] as const) {
    const best = Math.max(...measured.map((one) => one[by]));
    expect(best, `${by}: ${best.toFixed(1)} a second; all runs: ${said}`).toBeGreaterThanOrEqual(
      target.framesPerSecond / busy(),
    );
  }
  await page.context().close();
}, 300_000);

interface Scrolled {
  framesPerSecond: number;
  longestMs: number;
  pixels: number;
  /** Elements on the page, the most there were. */
  nodes: number;
}

/** Scrolls by 40 pixels a frame, as a wheel that is turned fast does, and times the frames. */
const scrollFor = (page: Page, ms: number) =>
  page.evaluate<Scrolled>(`new Promise((resolve) => {
    const list = document.querySelector('[role=group][aria-label^="Messages"]');
    const from = list.scrollTop;
    const started = performance.now();
    let [frames, last, longestMs, nodes] = [0, started, 0, 0];
    const frame = (now) => {
      frames++;
      longestMs = Math.max(longestMs, now - last);
      last = now;
      list.scrollTop += 40;
      if (frames % 30 === 0) nodes = Math.max(nodes, document.querySelectorAll('*').length);
      if (now - started < ${ms}) return requestAnimationFrame(frame);
      const framesPerSecond = (1000 * (frames - 1)) / (now - started);
      resolve({ framesPerSecond, longestMs, pixels: list.scrollTop - from, nodes });
    };
    requestAnimationFrame(frame);
  })`);

interface TraceEvent {
  name: string;
  ts: number;
}

/** Runs `work` under Chromium's tracing and counts the frames that its compositor drew meanwhile. */
async function traced<T>(
  cdp: CDPSession,
  work: () => Promise<T>,
): Promise<{ result: T; framesPerSecond: number }> {
  const events: TraceEvent[] = [];
  const gather = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  cdp.on('Tracing.dataCollected', gather);
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['disabled-by-default-devtools.timeline.frame', 'devtools.timeline.frame'],
    },
  });
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', gather);
  const drawn = events.filter(({ name }) => name === 'DrawFrame').length;
  return { result, framesPerSecond: drawn / seconds };
}
