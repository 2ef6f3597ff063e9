import { nameOf, type Manifest } from '../manifest.js';

/** Programs get variables that they read, and secrets are only where they are needed. */
export function misplacedSettings(
  manifests: readonly Manifest[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
  secretValues: readonly string[],
): string[] {
  const complaints = manifests.flatMap((manifest) =>
    (manifest.spec?.template?.spec.containers ?? []).flatMap(({ name: program, env }) =>
      env
        .filter(({ name }) => !known.get(program)?.has(name))
        .map(({ name }) => `${nameOf(manifest)}: ${program} does not read ${name}`),
    ),
  );
  for (const manifest of manifests) {
    const text = JSON.stringify(manifest);
    const shown = secretValues.filter((value) => text.includes(value));
    if (shown.length > 0 && manifest.kind !== 'Secret')
      complaints.push(`${nameOf(manifest)} shows ${shown.length} values of secrets`);
    const isOfMigrations = manifest.metadata.name.endsWith('-migrations');
    if (text.includes('MIGRATION_DATABASE_URL') && !isOfMigrations)
      complaints.push(`${nameOf(manifest)} has the URL of the owner of the tables`);
  }
  return complaints;
}
