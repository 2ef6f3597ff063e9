import '@spillway/node-version/require';
import { checks } from './checks.js';
import { runCheck } from './run-check.js';

/** `npm run check`: everything that can be proved without running the product. Ends with one line that counts. */
async function main(): Promise<void> {
  let failed = 0;
  for (const check of checks) {
    const { ok, seconds, output } = await runCheck(check);
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name} (${seconds.toFixed(1)} s)`);
    if (ok) continue;
    failed++;
    console.log(output.trimEnd());
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
