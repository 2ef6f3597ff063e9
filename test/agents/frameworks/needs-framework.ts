import { beforeAll, beforeEach } from 'vitest';
import { maxInstallMs, missingFramework } from './install-framework.js';

/**
 * Installs a framework before the tests of a file, and skips them, with the reason, where it cannot be installed.
 * `loaded` runs once after the installation, `prepare` in place of it.
 */
export function needsFramework(
  name: string,
  loaded: () => Promise<void> | void,
  prepare?: () => Promise<unknown>,
): void {
  let missing: string | null = null;
  beforeAll(async () => {
    missing = await missingFramework(name, prepare);
    if (missing === null) await loaded();
  }, maxInstallMs);
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });
}
