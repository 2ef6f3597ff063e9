import { buffer } from 'node:stream/consumers';
import { maxJsonLength, SpillwayError } from '@spillway/engine';
import type { OutputRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { withSearchSlot } from '../search/search-slots.js';
import { evaluateOnThread } from './json-path/pool.js';
import { ExcerptBuilder, type Excerpt, type LinesAsked, type Shown } from './read-lines.js';
import { readBytes } from './read-output.js';

/** Maximum of average characters per token, so more of them are not needed. */
const charactersOfToken = 64;

/**
 * Reads the parts of a JSON output that a JSONPath matches, one line of JSON for each match. No match gives no line.
 * JSON lines are one array, so `$[4]` is the fifth document. Throws `not_json`, `path_too_costly`, `output_gone`,
 * `too_many_searches`, and `invalid_request` for an invalid path.
 */
export async function readPath(
  rt: Runtime,
  output: OutputRow,
  path: string,
  asked: LinesAsked,
  shown: Shown,
): Promise<{ excerpt: Excerpt; total: number }> {
  const size = Number(output.bytes);
  if (size > maxJsonLength)
    throw new SpillwayError(
      'not_json',
      `The output has ${size.toLocaleString('en-US')} bytes; up to ${maxJsonLength.toLocaleString('en-US')} are ` +
        'parsed to be read by path. Read it by lines, by columns or with grep.',
    );
  const result = await withSearchSlot(output.projectId, async () =>
    evaluateOnThread({
      bytes: await buffer(await readBytes(rt, output, { start: 0, end: size })),
      path,
      first: asked.first,
      last: asked.last,
      fromColumn: (asked.fromColumn ?? 1) - 1,
      maxCharacters: (shown.maxTokens + 2) * charactersOfToken,
    }),
  );
  if ('problem' in result) throw problemOf(result);
  const { total, matches } = result;
  const paths = new Map(matches.map((match) => [match.number, match.path]));
  const builder = new ExcerptBuilder(
    { ...asked, last: Math.min(asked.last, total) },
    { ...shown, nameOf: (line) => paths.get(line) ?? '' },
  );
  for (const match of matches) if (builder.add(match)) break;
  return { excerpt: builder.done(), total };
}

function problemOf({ problem, why }: { problem: 'not_json' | 'invalid_path'; why: string }): SpillwayError {
  if (problem === 'not_json')
    return new SpillwayError('not_json', `The output ${why}. Read it by lines, or with grep.`);
  const errors = [{ path: '/path', message: `is not a valid JSONPath: ${why}` }];
  return new SpillwayError('invalid_request', 'The path is not a valid JSONPath (RFC 9535).', errors);
}
