import { join } from 'node:path';
import { signIn } from '@spillway/testing';
import type { Browser, Picture } from './pages.js';

export interface Session {
  apiKey: string;
  consoleUrl: string;
  folder: string;
  scheme: 'light' | 'dark';
  width: number;
  say: (line: string) => void;
}

/** Takes the pictures, signing in before those that need it. Wide and light is the one without a suffix. */
export async function photograph(
  browser: Browser,
  session: Session,
  pictures: readonly Picture[],
): Promise<void> {
  const { consoleUrl, apiKey, folder, scheme, width, say } = session;
  const context = await browser.newContext({
    viewport: { width, height: width > 1000 ? 900 : 844 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const suffix = `${scheme === 'dark' ? '-dark' : ''}${width > 1000 ? '' : '-narrow'}`;
  const shoot = async ({ name, path, act }: Picture): Promise<void> => {
    await page.goto(consoleUrl + path);
    if (act) {
      await page.waitForTimeout(1_200);
      await act(page);
    }
    await page.waitForTimeout(1_200);
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
    say(`${name}${suffix}.png`);
  };
  const { open = [], behind = [] } = Object.groupBy(pictures, ({ signedOut }) =>
    signedOut ? 'open' : 'behind',
  );
  for (const picture of open) await shoot(picture);
  await signIn(page, consoleUrl, apiKey);
  for (const picture of behind) await shoot(picture);
  await context.close();
}
