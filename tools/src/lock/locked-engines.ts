import { satisfies } from 'semver';

/** The oldest Node.js under which `npm ci` works. `devEngines` in package.json says the same. */
export const installNode = '20.19.0';

export interface LockedPackage {
  engines?: Record<string, string> | string[];
  optional?: boolean;
  [key: string]: unknown;
}

export interface Lock {
  packages: Record<string, LockedPackage>;
  [key: string]: unknown;
}

/**
 * The packages whose `engines` make npm warn when it installs them under the oldest Node.js. Their code runs under the
 * Node.js that npm installs beside them, so the warning is wrong; each program checks its own version. npm never warns
 * about optional packages, and reads the root's engines from package.json.
 */
export const packagesThatWarn = ({ packages }: Lock): string[] =>
  Object.entries(packages).flatMap(([path, { engines, optional }]) => {
    const node = engines && !Array.isArray(engines) ? engines.node : undefined;
    const warns = path !== '' && !optional && node !== undefined && !satisfies(installNode, node);
    return warns ? [path] : [];
  });

/** Takes the engines that make npm warn out of the lock file, which keeps its order. */
export function withoutWarnings(lock: Lock): Lock {
  const quiet = structuredClone(lock);
  for (const path of packagesThatWarn(lock)) delete quiet.packages[path]!.engines;
  return quiet;
}
