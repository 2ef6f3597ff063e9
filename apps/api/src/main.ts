import '@spillway/node-version/require';
import cluster from 'node:cluster';
import { processSettings } from './processes/process-settings.js';

/**
 * The API as one process, or as several on one port (API_WORKERS). What supervises them loads nothing of the API, so
 * that it takes a third of the memory of a process that serves.
 */
async function main(): Promise<void> {
  const settings = processSettings(process.env);
  if (cluster.isPrimary && settings.count > 1) {
    const { supervise } = await import('./processes/supervisor.js');
    supervise(settings);
    return;
  }
  const { serve } = await import('./serve.js');
  await serve();
}

main().catch((error: unknown) => {
  // A message for the operator has no stack; everything else is a defect.
  console.error(error instanceof Error && error.name === 'EnvError' ? error.message : error);
  process.exit(1);
});
