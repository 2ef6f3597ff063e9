import { expect, test } from 'vitest';
import { actorWords } from './actor-words';

const id = '0a1b2c3d-0000-4000-8000-000000000000';

test.each([
  [`key:${id}`, 'ci', 'ci', 'key 0a1b2c3d'],
  [`session:${id}`, 'ci', 'ci', 'in the console'],
  [`token:${id}`, 'ci', 'ci', 'thread token 0a1b2c3d'],
  [`key:${id}`, null, 'key 0a1b2c3d', null],
  [`token:${id}`, null, 'thread token 0a1b2c3d', null],
  [`session:${id}`, null, 'a session in the console', null],
  ['operator', null, 'the operator', null],
  ['service', null, 'the service itself', null],
  ['address:2001:db8::/64', null, 'somebody at 2001:db8::/64', null],
  ['address:many', null, 'many addresses', null],
  ['key:many', null, 'many keys', null],
  ['something new', null, 'something new', null],
])('%s of the key %s is %s, %s', (actor, name, who, by) => {
  expect(actorWords(actor, name)).toEqual({ who, by });
});
