import '@spillway/node-version/require';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import type { Check } from './check.js';
import { checks } from './checks.js';
import { runCheck } from './run-check.js';

/**
 * `npm run check`: everything that can be proved without running the product. Runs one check per core at a time;
 * reports each when it ends, and a total at the end.
 */
async function main(): Promise<void> {
  const { only } = new Command('npm run check --')
    .description('Proves what can be proved without running the product.')
    .option(
      '--only <what>',
      'sources: all but what reads the results of npm test; results: that alone; else the checks whose name contains this',
    )
    .allowExcessArguments(false)
    .parse()
    .opts<{ only?: string }>();
  const chosen = checks.filter((check) => only === undefined || isMeant(check, only));
  if (chosen.length === 0)
    throw new Error(
      `No check is called ${only ?? ''}. There are: ${checks.map(({ name }) => name).join('; ')}`,
    );
  const waiting = [...chosen];
  let failed = 0;
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { ok, seconds, output, lines } = await runCheck(check);
      for (const line of lines) console.log(`     ${line}`);
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name} (${seconds.toFixed(1)} s)`);
      if (ok) continue;
      failed++;
      console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function isMeant({ name, ofResults }: Check, what: string): boolean {
  const readsResults = ofResults === true;
  if (what === 'sources') return !readsResults;
  return what === 'results' ? readsResults : name.toLowerCase().includes(what.toLowerCase());
}

await main();
