import { expect, test } from 'vitest';
import { settingsProblems } from './settings-problems';

test.each([
  [{}, []],
  [{ API_URL: '', API_PUBLIC_URL: ' ', CONSOLE_SESSION_SECRET: '' }, []],
  [{ API_URL: 'http://api:4000/', CONSOLE_SESSION_SECRET: 'a'.repeat(32) }, []],
  [{ API_URL: 'api:4000' }, ['API_URL must be an http:// or https:// URL, and is "api:4000"']],
  [
    { API_PUBLIC_URL: 'spillway.example', CONSOLE_SESSION_SECRET: 'short' },
    [
      'API_PUBLIC_URL must be an http:// or https:// URL, and is "spillway.example"',
      'CONSOLE_SESSION_SECRET must have at least 32 characters and has 5',
    ],
  ],
])('%j', (env, problems) => expect(settingsProblems(env)).toEqual(problems));
