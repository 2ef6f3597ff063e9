import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { formatted } from '../../formatted.js';
import type { GeneratedFile } from '../../generated-files.js';
import { repository } from '../../repository.js';
import { chartPath, inChart } from './chart.js';

const start = '<!-- values:start -->';
const end = '<!-- values:end -->';

/**
 * The files of the chart that follow from others: Helm reads no file outside of a chart, so it has copies of the alert
 * rules and of the dashboard; its README lists the values.
 */
export async function chartFiles(): Promise<GeneratedFile[]> {
  const [rules, dashboard, values, readme] = await Promise.all(
    [
      join(repository, 'deploy/prometheus/alerts.yml'),
      join(repository, 'deploy/grafana/spillway.json'),
      inChart('values.yaml'),
      inChart('README.md'),
    ].map((path) => readFile(path, 'utf8')),
  );
  const [before, after] = [readme!.split(start)[0], readme!.split(end)[1]];
  if (before === undefined || after === undefined)
    throw new Error(`${chartPath}/README.md has no ${start} and ${end}.`);
  const table = `${before}${start}\n\n${valuesTable(values!)}\n${end}${after}`;
  const readmePath = `${chartPath}/README.md`;
  return [
    { path: `${chartPath}/files/alerts.yml`, text: rules! },
    { path: `${chartPath}/files/dashboard.json`, text: dashboard! },
    { path: readmePath, text: await formatted(readmePath, table) },
  ];
}

/** One row for each value, with the comment before it that begins with `--`, as helm-docs has it. */
function valuesTable(text: string): string {
  const document = parseDocument(text);
  const rows = rowsOf(document.contents as YAMLMap, '');
  return ['| value | default | meaning |', '| ----- | ------- | ------- |', ...rows].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string): string[] {
  return map.items.flatMap(({ key, value }) => {
    if (!isScalar(key)) return [];
    const path = `${prefix}${String(key.value)}`;
    // The comment before the first key of a map belongs to the map.
    const isFirst = map.items[0]?.key === key;
    const comment = describe(key.commentBefore ?? (isFirst ? map.commentBefore : undefined));
    if (isMap(value) && value.items.length > 0 && !value.flow)
      return [...(comment ? [row(path, '', comment)] : []), ...rowsOf(value, `${path}.`)];
    const shown = JSON.stringify(toPlain(value));
    return [row(path, shown === '""' ? '' : `\`${shown}\``, comment)];
  });
}

const toPlain = (node: unknown): unknown => (node as { toJSON(): unknown }).toJSON();

const row = (path: string, shown: string, comment: string): string =>
  `| \`${path}\` | ${shown} | ${comment.replaceAll('|', '\\|')} |`;

function describe(comment: string | null | undefined): string {
  const lines = (comment ?? '').split('\n').map((line) => line.trim());
  const first = lines.findLastIndex((line) => line.startsWith('-- '));
  return first < 0 ? '' : lines.slice(first).join(' ').slice(3);
}
