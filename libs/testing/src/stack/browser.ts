import { aptInstall, onPath } from '@spillway/embedded';
import type { Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** A real Chromium: CHROMIUM_BIN, one on PATH, or (as root, where there is apt-get) installed now. */
export async function launchBrowser(): Promise<Browser> {
  let executablePath = process.env.CHROMIUM_BIN ?? (await onPath(names));
  if (!executablePath) {
    const failure = await aptInstall('chromium', (line) => console.log(line));
    executablePath = await onPath(names);
    if (!executablePath) throw new Error(`No Chromium: set CHROMIUM_BIN (${failure}).`);
  }
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
