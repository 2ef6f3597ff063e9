import type { Browser } from '../screenshots/pages.js';

/** Wide enough for the page as a desktop shows it, and no larger than a README shows. */
const viewport = { width: 1100, height: 620 };
const maxPageMs = 30_000;

export interface Visit {
  /** Opens the thread and returns after how many seconds the answer is seen. */
  seconds(thread: string, answer: string): Promise<number>;
  photograph(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Signs in to the console, as somebody who has it open while the agent is started. */
export async function visitConsole(browser: Browser, consoleUrl: string, key: string): Promise<Visit> {
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  context.setDefaultTimeout(maxPageMs);
  const page = await context.newPage();
  await page.goto(`${consoleUrl}/login`);
  await page.locator('input:visible').first().fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  return {
    seconds: async (thread, answer) => {
      const started = performance.now();
      await page.goto(`${consoleUrl}/threads/${encodeURIComponent(thread)}`);
      await page.getByText(answer).first().waitFor();
      return (performance.now() - started) / 1000;
    },
    photograph: async (path) => {
      // Fonts, transitions and what the page loads after its messages.
      await page.waitForTimeout(1_200);
      await page.screenshot({ path });
    },
    close: () => context.close(),
  };
}
