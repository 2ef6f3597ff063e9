import { expect, test } from 'vitest';
import { localPath } from './local-path';

test.each([
  ['/', '/'],
  ['/threads?state=idle&q=a%20b', '/threads?state=idle&q=a%20b'],
  ['/threads/a%2Fb?seq=4#here', '/threads/a%2Fb?seq=4#here'],
  ['/threads/../jobs', '/jobs'],
  ['/login?next=https://evil.example', '/login?next=https://evil.example'],
  ['/outputs?q=//evil.example', '/outputs?q=//evil.example'],
])('%j is a path of this site', (path, same) => expect(localPath(path)).toBe(same));

test.each([
  undefined,
  '',
  'threads',
  'https://evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/.//evil.example/%E0%A4%A',
  '/%2e//evil.example',
  '/threads/..//evil.example',
  '/threads/%2E%2E//evil.example',
  '/threads//evil.example',
])('%j is none, and leads to the first page', (path) => expect(localPath(path)).toBe('/'));
