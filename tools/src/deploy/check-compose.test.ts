import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultsOfCompose } from './check-compose.js';
import { knownVariables } from './known-variables.js';

describe('the check of docker-compose.yml', async () => {
  const text = await readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
  const known = await knownVariables();

  test('finds nothing in it as it is', () => {
    expect(faultsOfCompose(text, known)).toEqual([]);
  });

  test.each([
    ['a field that Compose does not know', '    healthcheck:', '    healthchecks:', /additional properties/],
    ['a value that Compose does not take', 'restart: unless-stopped', 'restart: [always]', /must be string/],
    [
      'a name of a service that is scaled',
      '  worker:\n',
      '  worker:\n    container_name: worker\n',
      /there cannot be several/,
    ],
    [
      'a port of a service that is scaled',
      '  worker:\n',
      "  worker:\n    ports: ['4002:4002']\n",
      /there cannot be several/,
    ],
    [
      'a variable that no program reads',
      'SPILLWAY_CHAT_MODELS:',
      'SPILLWAY_CHAT_MODEL:',
      /api does not read SPILLWAY_CHAT_MODEL/,
    ],
  ])('finds %s', (_what, from, to, complaint) => {
    expect(text).toContain(from);
    expect(faultsOfCompose(text.replace(from, to), known).join('\n')).toMatch(complaint);
  });
});
