import { aptInstall, onPath } from '@spillway/embedded';
import type { Browser, Page } from 'playwright-core';

/** Chromium without a window comes first: it renders the same pages with a fifth less CPU. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const packages = ['chromium-headless-shell', 'chromium'];

/** Launches a real Chromium: CHROMIUM_BIN, one on PATH, or (as root, where there is apt-get) one it installs. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_BIN ?? (await onPath(names)) ?? (await installed());
  // Most tests open no browser.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

let ofProcess: Promise<Browser> | undefined;

/** A Chromium that all callers of this process use, each in contexts of its own. It ends with the process. */
export const sharedBrowser = (): Promise<Browser> => (ofProcess ??= launchBrowser());

/** Signs in to the console as a person does. */
export async function signIn(page: Page, consoleUrl: string, key: string): Promise<void> {
  await page.goto(`${consoleUrl}/login`);
  await page.locator('input:visible').first().fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

async function installed(): Promise<string> {
  const failures: string[] = [];
  for (const name of packages) {
    const failure = await aptInstall(name, (line) => console.log(line));
    const program = await onPath(names);
    if (program) return program;
    failures.push(`${name}: ${failure}`);
  }
  throw new Error(`No Chromium: set CHROMIUM_BIN (${failures.join('; ')}).`);
}
