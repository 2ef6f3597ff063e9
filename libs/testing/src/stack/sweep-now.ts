import { pathToFileURL } from 'node:url';

/**
 * Runs both sweeps now, as a worker would run them later: without a grace period for expired outputs, and with every
 * blob without a row old enough. `storage: false` leaves out the second one, which also removes what the first one
 * forgot.
 */
export async function sweepNow(
  of: { databaseUrl: string; outputsFolder: string },
  { storage = true }: { storage?: boolean } = {},
): Promise<void> {
  // Most tests need the service in processes only.
  const { openRuntime, readEnv, sweepOutputs, sweepStorage } = await import('@spillway/service');
  const { policyInput } = await import('@spillway/contracts');
  const env = {
    DATABASE_URL: of.databaseUrl,
    SPILLWAY_OUTPUTS: pathToFileURL(of.outputsFolder).href,
    SPILLWAY_GRACE_MS: '1',
    SPILLWAY_ORPHAN_MS: '1',
    LOG_LEVEL: 'silent',
  };
  const rt = openRuntime(readEnv(env, policyInput), 'sweeper');
  try {
    // The second run may remove what the first one marked.
    for (let i = 0; i < 2; i++) await sweepOutputs(rt);
    if (storage) await sweepStorage(rt);
  } finally {
    await rt.close();
  }
}
