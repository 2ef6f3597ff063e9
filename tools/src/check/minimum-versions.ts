import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lt } from 'semver';
import { repository } from '../repository.js';

/** Minimum versions of packages because of security advisories, with the reason. */
const minimums: Record<string, { from: string; why: string }> = {
  next: {
    from: '16.2.6',
    why: 'ways around middleware and server components (CVE-2025-29927 and what followed)',
  },
  react: { from: '19.2.6', why: 'code run by server components (CVE-2025-55182 and what followed)' },
  '@nestjs/platform-fastify': {
    from: '11.1.24',
    why: 'ways around middleware (CVE-2026-2293, 33011, 54281)',
  },
  bullmq: { from: '6.7.0', why: 'workers that never take a job again after an outage' },
};

interface Lock {
  packages: Record<string, { version?: string; resolved?: string }>;
}

/** No dependency is older than its minimum version, and none comes from outside the registry. */
export async function checkMinimumVersions(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as Lock;
  const complaints: string[] = [];
  for (const [path, { version, resolved }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1)!;
    const minimum = minimums[name];
    if (minimum && version && lt(version, minimum.from))
      complaints.push(`${name} ${version} is older than ${minimum.from}: ${minimum.why}`);
    if (resolved && /^(git|file:\.\.|http:)/.test(resolved))
      complaints.push(`${path} comes from ${resolved}`);
  }
  return complaints;
}
