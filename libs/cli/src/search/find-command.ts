import type { ProjectSearchOptions, Schemas } from '@spillway/client';
import type { Command } from '../program/command.js';
import { textOf, timeOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { queryOf } from './query-of.js';

export const find: Command = {
  summary: 'Finds the threads in which these words were said.',
  operands: [{ name: 'words', required: true, rest: true }],
  options: {
    role: {
      type: 'string',
      choices: ['system', 'developer', 'user', 'assistant', 'tool'],
      summary: 'Only messages of this role.',
    },
    model: { type: 'string', value: 'name', summary: 'Only threads of this model.' },
    metadata: {
      type: 'string',
      value: 'key=value',
      summary: 'Only threads with this value in the metadata.',
    },
    since: {
      type: 'string',
      value: 'time',
      summary: 'Only threads changed since then: a time, or an age like 12h or 7d.',
    },
    limit: { type: 'string', short: 'n', value: 'n', summary: 'At most n threads. Default: 10.' },
  },
  notes: `One message, or a call with its result, must have all of the words. The newest threads come first. All messages of
the project are read until n threads are found; outputs are not, which spillway search does. Scope: context:read.`,
  needsReader: true,
  async run({ operands: words, options, env, print }) {
    const limit = wholeNumberOf(options, 'limit', { min: 1, max: 10_000 }) ?? 10;
    const filter: ProjectSearchOptions = {
      role: textOf(options, 'role') as ProjectSearchOptions['role'],
      model: textOf(options, 'model'),
      metadata: textOf(options, 'metadata'),
      updated_after: timeOf(options, 'since', 'past'),
      limit: Math.min(limit, 100),
    };
    let found = 0;
    for await (const thread of clientOf(env).search(queryOf(words), filter)) {
      if (print.json) await print.value(thread);
      else for (const line of linesOf(thread)) await print.line(line);
      if (++found === limit) break;
    }
    if (found === 0) print.note('Nothing was found.');
  },
};

const linesOf = ({ id, hits, more, updated_at: updatedAt }: Schemas['FoundThread']): string[] => [
  `--- ${id}, changed ${updatedAt}`,
  ...hits.map(({ seq, role, snippet }) => `${seq} ${role}: ${snippet}`),
  ...(more ? ['There may be more in it.'] : []),
  '',
];
