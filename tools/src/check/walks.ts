import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { repository } from '../repository.js';
import type { Say } from './check.js';

interface Walk {
  title: string;
  /** The most steps it may take. */
  max: number;
  steps: { path: string; startsAnew: boolean }[];
}

/** Reads the walks of a document: a heading, "At most N steps." below it, and a numbered list of links. */
export function walksIn(markdown: string): Walk[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0]!,
      max: Number(/At most (\d+) steps\./.exec(section)?.[1] ?? 0),
      steps: [...section.matchAll(/^\d+\. (\([^)]*\) )?\[[^\]]*\]\(([^)]+)\)/gm)].map(([, note, link]) => ({
        path: normalize(join('docs', link!)),
        startsAnew: note !== undefined,
      })),
    }));
}

/**
 * What is wrong with a walk: too many steps, a file that is not there, or one that no file before it uses. A step with a
 * note in brackets begins in another process and needs no user.
 */
export function complaintsOf({ title, max, steps }: Walk, sources: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  if (steps.length === 0 || steps.length > max)
    complaints.push(`${title}: ${steps.length} steps, at most ${max}`);
  steps.forEach(({ path, startsAnew }, i) => {
    const source = sources.get(path);
    if (source === undefined) complaints.push(`${title}: ${path} is not there`);
    if (source === undefined || i === 0 || startsAnew) return;
    const before = steps.slice(0, i).map((step) => sources.get(step.path) ?? '');
    if (!exportsOf(source).some((name) => before.some((text) => new RegExp(`\\b${name}\\b`).test(text))))
      complaints.push(`${title}: no file before ${path} uses what it exports`);
  });
  return complaints;
}

const exportsOf = (source: string): string[] =>
  [...source.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(
    ([, name]) => name!,
  );

/** The walks of docs/walks.md can be walked. */
export async function checkWalks(say: Say): Promise<string[]> {
  const walks = walksIn(await readFile(join(repository, 'docs/walks.md'), 'utf8'));
  const paths = new Set(walks.flatMap(({ steps }) => steps.map(({ path }) => path)));
  const sources = new Map<string, string>();
  for (const path of paths) {
    const text = await readFile(join(repository, path), 'utf8').catch(() => undefined);
    if (text !== undefined) sources.set(path, text);
  }
  say(walks.map(({ title, steps }) => `${title}: ${steps.length} steps`).join('; '));
  return walks.length === 0
    ? ['docs/walks.md holds no walk']
    : walks.flatMap((walk) => complaintsOf(walk, sources));
}
