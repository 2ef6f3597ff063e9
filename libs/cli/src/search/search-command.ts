import type { Schemas, SearchOptions } from '@spillway/client';
import type { Command } from '../program/command.js';
import { textOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { queryOf } from './query-of.js';

export const search: Command = {
  summary: 'Searches all messages of a thread, summarized ones too, and its outputs.',
  operands: [
    { name: 'thread', required: true },
    { name: 'words', required: true, rest: true },
  ],
  options: {
    role: {
      type: 'string',
      choices: ['system', 'developer', 'user', 'assistant', 'tool'],
      summary: 'Only messages of this role.',
    },
    tool: { type: 'string', value: 'name', summary: 'Only calls of this tool, and their results.' },
    kind: {
      type: 'string',
      value: 'kind',
      summary: 'Only results of this kind, such as log, json or table.',
    },
    from: { type: 'string', value: 'seq', summary: 'Only messages from this one on.' },
    to: { type: 'string', value: 'seq', summary: 'Only messages up to this one.' },
    limit: { type: 'string', short: 'n', value: 'n', summary: 'At most n hits. Default: 10.' },
  },
  notes: `Words in any order, "phrases" in quotes, or a question. The best hits come first. Hits in outputs need the scope
outputs:read. Scope: context:read.`,
  needsReader: true,
  async run({ operands: [id, ...words], options, env, print }) {
    const limit = wholeNumberOf(options, 'limit', { min: 1, max: 10_000 }) ?? 10;
    const filter: SearchOptions = {
      role: textOf(options, 'role') as SearchOptions['role'],
      tool: textOf(options, 'tool'),
      kind: textOf(options, 'kind'),
      from_seq: wholeNumberOf(options, 'from', { min: 1 }),
      to_seq: wholeNumberOf(options, 'to', { min: 1 }),
      limit: Math.min(limit, 100),
    };
    let found = 0;
    for await (const hit of clientOf(env).thread(id!).search(queryOf(words), filter)) {
      if (print.json) await print.value(hit);
      else for (const line of linesOf(hit)) await print.line(line);
      if (++found === limit) break;
    }
    if (found === 0) print.note('Nothing was found.');
  },
};

function linesOf({ seq, role, covered_by: coveredBy, output, windows }: Schemas['SearchHit']): string[] {
  const where = [
    `--- message ${seq}, ${role}`,
    ...(coveredBy === null ? [] : [`summarized in generation ${coveredBy}`]),
    ...(output ? [`output ${output.id}, line ${output.line}`] : []),
  ];
  const passages = windows.flatMap(({ line, text }, i) => [
    ...(i === 0 && line === 1 ? [] : [`--- from line ${line}`]),
    text.trimEnd(),
  ]);
  return [where.join(', '), ...passages, ''];
}
