/**
 * The oldest Node.js that every installed package runs on. `engines` in package.json says the same, and
 * `npm run check` compares both with the packages.
 */
export const minNode = '22.15.0';

/** Returns null when this code runs under `version` (as in process.versions.node), or else a sentence that says what to do. */
export function nodeComplaint(version: string): string | null {
  const [have, need] = [version, minNode].map((text) => text.split('.').map(Number));
  const [major, minor] = [have![0]! - need![0]!, have![1]! - need![1]!];
  if (major > 0 || (major === 0 && minor >= 0)) return null;
  return (
    `Spillway needs Node.js ${minNode} or newer; this is ${version}. ` +
    'On Linux, npm ci installs one: run node_modules/.bin/node. Elsewhere, get it from https://nodejs.org.'
  );
}
