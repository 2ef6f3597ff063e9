import { signIn } from '@spillway/testing';
import type { Browser } from '../screenshots/pages.js';

/** Wide enough for the page as a desktop shows it, and no larger than a README shows. */
const viewport = { width: 1100, height: 620 };
/** Of a picture that shows a thread whole: it is on a page, among others. */
const maxHeight = 900;
const maxPageMs = 30_000;

/** In the page: how many pixels of the list of messages are out of sight. */
const hiddenHeight = `Math.max(0, ...[...document.querySelectorAll('main *')]
  .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY))
  .map((one) => one.scrollHeight - one.clientHeight))`;

export interface Visit {
  /** Opens the thread and returns after how many seconds the answer is seen. */
  seconds(thread: string, answer: string): Promise<number>;
  /** Returns whether the picture shows the thread whole. One that is too long is shown at its end. */
  photograph(path: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Signs in to the console, as somebody who has it open while the agent is started. */
export async function visitConsole(browser: Browser, consoleUrl: string, key: string): Promise<Visit> {
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  context.setDefaultTimeout(maxPageMs);
  const page = await context.newPage();
  await signIn(page, consoleUrl, key);
  return {
    seconds: async (thread, answer) => {
      const started = performance.now();
      await page.goto(`${consoleUrl}/threads/${encodeURIComponent(thread)}`);
      await page.getByText(answer).first().waitFor();
      return (performance.now() - started) / 1000;
    },
    photograph: async (path) => {
      const hidden = Number(await page.evaluate(hiddenHeight));
      const height = viewport.height + hidden;
      const isWhole = height <= maxHeight;
      if (isWhole) await page.setViewportSize({ ...viewport, height });
      // Fonts, transitions and what the page loads after its messages.
      await page.waitForTimeout(1_200);
      await page.screenshot({ path });
      return isWhole;
    },
    close: () => context.close(),
  };
}
