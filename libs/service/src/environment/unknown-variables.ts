const prefix = 'SPILLWAY_';

/** Names of ours that other programs read: clients, `npm start` and tests. */
const ofOthers = new Set(
  [
    'URL',
    'KEY',
    'API_KEY',
    'DEBUG',
    'CRASH_AT',
    'BUILT',
    'UNBUNDLED',
    'SEED',
    'SIZES',
    'RUNS',
    'FAULTS',
    'ABUSE',
  ].map((name) => prefix + name),
);
/** What Kubernetes and Docker set in each container for a service that is named after Spillway. */
const ofServices = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP)(_\w+)?)?$/;

export interface UnknownVariables {
  /** A line for each name that is nearly one of ours. */
  misspelt: string[];
  /** The others, which have no effect. */
  ignored: string[];
}

/**
 * Variables that begin as ours do and that nothing reads. A limit or a list whose name is misspelt would be missing
 * without a word.
 */
export function unknownVariables(names: readonly string[], known: readonly string[]): UnknownVariables {
  const found: UnknownVariables = { misspelt: [], ignored: [] };
  const isKnown = new Set(known);
  for (const name of names) {
    if (!name.startsWith(prefix) || isKnown.has(name) || ofOthers.has(name)) continue;
    const near = known.find((one) => one.startsWith(prefix) && isNear(one, name));
    if (near !== undefined) found.misspelt.push(`${name} is not a variable of Spillway: ${near} is`);
    else if (!ofServices.test(name)) found.ignored.push(name);
  }
  return found;
}

/** Short words are near to each other by chance: HOST and PORT. */
const isNear = (known: string, name: string): boolean =>
  distance(known, name) <= (known.length - prefix.length < 8 ? 1 : 2);

/** Letters to insert, remove, replace or swap with the next one. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last![j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, before![j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last![b.length]!;
}
