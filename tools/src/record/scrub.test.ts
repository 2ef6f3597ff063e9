import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { leak, scrubber } from './scrub.js';

const scrub = scrubber({ repo: '/tmp/record-Ab12/repo', home: '/tmp/record-Ab12' });

describe('a recorded output', () => {
  it.each([
    ['paths of the sandbox', 'at /tmp/record-Ab12/repo/libs/a.ts:3:1', 'at /repo/libs/a.ts:3:1'],
    ['the home folder', 'cache in /tmp/record-Ab12/.npm', 'cache in /home/dev/.npm'],
    ['this checkout', `${repository}libs/a.ts`, '/repo/libs/a.ts'],
    [
      'registries',
      '"resolved": "https://npm.corp.example/a.tgz", https://registry.other.example/a',
      '"resolved": "https://npm.corp.example/a.tgz", https://registry.example/a',
    ],
    ['mail addresses', 'Jane <jane.doe@corp.example.org>', 'Jane <dev@mail.example>'],
    ['the host name', `connect ${hostname()}:5432`, 'connect host:5432'],
    ['nothing else', 'vitest@5.1.1 took 3.5 s', 'vitest@5.1.1 took 3.5 s'],
  ])('is freed of %s', (_, output, scrubbed) => {
    expect(scrub(output)).toBe(scrubbed);
  });

  it.each([
    ['/root/.ssh/id', '/root/.ssh/id'],
    ['https://registry.corp.net/x', 'registry.corp.net'],
    ['10.1.2.3', '10.1.2.3'],
    [`key sw_${'a1'.repeat(20)}`, `sw_${'a1'.repeat(20)}`],
  ])('is refused when it still has %s', (output, found) => {
    expect(leak(output)).toBe(found);
  });

  it('is accepted with versions, which only look like addresses', () => {
    expect(leak('eslint 10.15.0, node 24.21.0, root, registry.example')).toBeNull();
  });
});
