import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../repository.js';
import type { Say } from '../check/check.js';
import { runCommand } from '../run-command.js';

const rulesPath = 'deploy/prometheus/alerts.yml';
const testsPath = 'deploy/prometheus/alerts.test.yml';

const rule = z.strictObject({
  alert: z.string().regex(/^Spillway[A-Z]\w+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string(), runbook_url: z.string() }),
});
const rulesFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
});

/**
 * Every alert has a severity, says what to do, has a section in docs/operations/guide.md and a test. Where promtool is
 * installed (Debian: prometheus), it checks the expressions and runs the tests.
 */
export async function checkAlerts(say: Say): Promise<string[]> {
  const [rules, tests, guide] = await Promise.all(
    [rulesPath, testsPath, 'docs/operations/guide.md'].map((path) =>
      readFile(join(repository, path), 'utf8'),
    ),
  );
  const parsed = rulesFile.safeParse(parse(rules!));
  if (!parsed.success) return [`${rulesPath}: ${z.prettifyError(parsed.error)}`];
  const alerts = parsed.data.groups.flatMap((group) => group.rules);
  const complaints = alerts.flatMap(({ alert, annotations }) => [
    ...(guide!.includes(`\n### ${alert}\n`) ? [] : [`docs/operations/guide.md has no section ${alert}`]),
    ...(tests!.includes(`alertname="${alert}"`) ? [] : [`${testsPath} has no test of ${alert}`]),
    ...(annotations.runbook_url === `docs/operations/guide.md#${alert.toLowerCase()}`
      ? []
      : [`${alert}: its runbook_url leads elsewhere: ${annotations.runbook_url}`]),
  ]);
  return [...complaints, ...(await promtool(say, alerts.length))];
}

async function promtool(say: Say, count: number): Promise<string[]> {
  const isInstalled = await runCommand(['promtool', '--version']).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isInstalled) {
    say(
      `${count} alerts were parsed only: promtool is not installed (Debian: prometheus), so no test of them ran`,
    );
    return [];
  }
  const runs = await Promise.all([
    runCommand(['promtool', 'check', 'rules', rulesPath]),
    runCommand(['promtool', 'test', 'rules', testsPath]),
  ]);
  say(`${count} alerts, checked and tested by promtool`);
  return runs.filter(({ ok }) => !ok).map(({ output }) => output);
}
