import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import workspace from '../../../package.json' with { type: 'json' };
import { repository } from '../repository.js';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const parts = globSync(
  workspace.workspaces.map((folder) => `${folder}/package.json`),
  { cwd: repository },
);

/** The version of each program is read from the package.json that it is installed with. */
test('every package and the Helm chart have the version of the root, and so has OpenAPI', () => {
  const versions = Object.fromEntries(
    parts.map((path) => [path, (JSON.parse(read(path)) as { version?: string }).version]),
  );
  const { appVersion } = parse(read('deploy/helm/spillway/Chart.yaml')) as { appVersion: string };
  const { info } = JSON.parse(read('libs/client/openapi.json')) as { info: { version: string } };
  expect(parts).toContain('libs/cli/package.json');
  expect({ ...versions, appVersion, openapi: info.version }).toEqual(
    Object.fromEntries([...parts, 'appVersion', 'openapi'].map((name) => [name, workspace.version])),
  );
});
