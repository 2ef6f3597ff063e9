// @module-tag long
import { apiOf, longestSample, until } from '@spillway/testing';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timesInTurn } from '../times-in-turn.js';
import { borrowedConsoleRig, type ConsoleRig } from './console-rig.js';

const copies = 10;
const shortLength = 20;
/** Compared with a thread of 20 messages, and with a box without scripts, measured in turn. */
const atMost = { interactiveTimes: 2 };
const atLeast = { shareOfPlainFrames: 2 / 5, shareDrawn: 5 / 6 };
const most = { nodes: 3_000, responseBytes: 300_000 };
const runs = 5;
/** Far enough that messages are loaded on the way. */
const scrollPixels = 4_000;

let rig: ConsoleRig;
let total: number;

beforeAll(async () => {
  rig = await borrowedConsoleRig({ ownBrowser: true });
  const api = apiOf(rig.stack);
  const { messages } = longestSample();
  await api.createThread({ id: 'long', policy: { context: { context_window: 32_000 } } });
  // Ids of calls are unique within a thread, as an agent's are.
  for (let copy = 0; copy < copies; copy++) {
    const text = JSON.stringify(messages).replaceAll(/"call_\w+/g, (id) => `${id}_${copy}`);
    const renamed = JSON.parse(text) as object[];
    for (let i = 0; i < renamed.length; i += 500) await api.append('long', ...renamed.slice(i, i + 500));
  }
  await api.createThread({ id: 'short' });
  await api.append('short', ...messages.slice(0, shortLength));
  total = (await api.thread('long')).last_seq;
  await until('it is compacted', async () => (await api.thread('long')).compaction.state === 'idle', 240_000);
}, 600_000);
afterAll(() => rig?.stop());

/** A browser in front of the console, with the size of every answer it gets. */
async function signedIn(): Promise<{ page: Page; cdp: CDPSession; answers: Map<string, number> }> {
  const { page } = await rig.open();
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

/** Opens a thread's page and returns the milliseconds until it answers to a key. */
async function interactiveMs(id: string, newest: number): Promise<number> {
  const { page, answers } = await signedIn();
  const started = Date.now();
  await page.goto(`${rig.site.url}/threads/${id}`, { waitUntil: 'commit' });
  await page.locator(`article[aria-label="Message ${newest}"] header`).waitFor();
  // The key is pressed again until it is answered: the page may not listen yet when it is pressed first.
  do await page.keyboard.press('k');
  while ((await page.locator('article[data-selected="true"]').count()) === 0);
  const took = Date.now() - started;
  const nodes = await countNodes(page);
  const largest = [...answers].filter(([url]) => !url.includes('/_next/')).sort((a, b) => b[1] - a[1])[0]!;
  console.log(
    `${newest} messages, interactive in ${took} ms, ${nodes} elements, ` +
      `largest answer ${largest[1]} bytes (${new URL(largest[0]).pathname})`,
  );
  expect(nodes).toBeLessThan(most.nodes);
  expect(largest[1]).toBeLessThan(most.responseBytes);
  await rig.close(page);
  return took;
}

test('the page of a thread of 12,000 messages answers to a key as soon as one of 20 does, twice the time at most', async () => {
  const [long, short] = await timesInTurn(
    runs,
    () => interactiveMs('long', total),
    () => interactiveMs('short', shortLength),
  );
  expect(long! / short!, `${Math.round(long!)} and ${Math.round(short!)} ms`).toBeLessThan(
    atMost.interactiveTimes,
  );
});

test('it scrolls with two fifths of the frames of a box without scripts that holds the same rows at least, and draws them, through messages that are loaded on the way', async () => {
  const { page, cdp, answers } = await signedIn();
  await page.goto(`${rig.site.url}/threads/long?seq=6000`);
  await page.locator('article[aria-label="Message 6000"] header').waitFor();
  let [scrolled, plain, drawn, pixels, nodes] = [0, 0, 0, 0, 0];
  // A slow machine draws fewer frames in a second.
  for (let run = 0; run < 8 || (pixels <= scrollPixels && run < 40); run++) {
    const trace = await traced(cdp, () => scrollFor(page, 'the messages'));
    scrolled += trace.result.frames;
    drawn += trace.drawn;
    pixels += trace.result.pixels;
    nodes = Math.max(nodes, trace.result.nodes);
    plain += (await scrollFor(page, 'copies of them')).frames;
  }
  console.log(
    `${scrolled} frames while scrolling ${pixels} pixels, ${drawn} of them drawn by Chromium's trace, ` +
      `${plain} frames of a box without scripts, ${nodes} elements at most`,
  );
  expect(pixels).toBeGreaterThan(scrollPixels);
  expect(nodes).toBeLessThan(most.nodes);
  for (const [url, bytes] of answers) expect(bytes, url).toBeLessThan(most.responseBytes);
  expect(scrolled / plain, 'frames').toBeGreaterThanOrEqual(atLeast.shareOfPlainFrames);
  expect(drawn / scrolled, 'drawn').toBeGreaterThanOrEqual(atLeast.shareDrawn);
  await rig.close(page);
});

interface Scrolled {
  frames: number;
  pixels: number;
  /** The most elements that were on the page. */
  nodes: number;
}

/**
 * Scrolls for a second, 40 pixels in each frame, which is a wheel that is turned fast, and counts the frames: through the
 * messages, or through a box that lies over them and holds copies of the rows that are there, again and again. The box
 * has no script and loads nothing, so its frames are what Chromium and the machine have to give just now.
 */
const scrollFor = (page: Page, what: 'the messages' | 'copies of them') =>
  page.evaluate<Scrolled>(`new Promise((resolve) => {
    const list = document.querySelector('[role=group][aria-label^="Messages"]');
    let box = list;
    if (${what === 'copies of them'}) {
      const { left, top, width, height } = list.getBoundingClientRect();
      box = document.createElement('div');
      box.style = 'position: fixed; overflow: auto; background: Canvas';
      Object.assign(box.style, { left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px' });
      document.body.append(box);
      const rows = [...list.querySelectorAll('article')];
      while (box.scrollHeight < height + 4000) box.append(...rows.map((row) => row.cloneNode(true)));
    }
    const from = box.scrollTop;
    const started = performance.now();
    let [frames, nodes] = [0, 0];
    const frame = (now) => {
      frames++;
      box.scrollTop += 40;
      if (frames % 30 === 0) nodes = Math.max(nodes, document.querySelectorAll('*').length);
      if (now - started < 1000) return requestAnimationFrame(frame);
      const pixels = box.scrollTop - from;
      if (box !== list) box.remove();
      resolve({ frames, pixels, nodes });
    };
    requestAnimationFrame(frame);
  })`);

interface TraceEvent {
  name: string;
  ts: number;
}

/** Runs `work` under Chromium's tracing and counts the frames that its compositor drew meanwhile. */
async function traced<T>(cdp: CDPSession, work: () => Promise<T>): Promise<{ result: T; drawn: number }> {
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
  const result = await work();
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', gather);
  const drawn = events.filter(({ name }) => name === 'DrawFrame').length;
  return { result, drawn };
}
