import { expect, test } from 'vitest';
import { routes } from './routes.js';

const inUrl = (query: object): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

const shown = Object.entries(routes).filter(([, { body, streamed, example }]) => body ?? streamed ?? example);

test.each(shown)('the example of %s is a request that its contract accepts', (_, route) => {
  const { body, query = {} } = route.example ?? {};
  if (route.body) expect(route.body.safeParse(body).error).toBeUndefined();
  if (route.streamed) expect(body).toEqual(expect.any(String));
  expect(route.query?.safeParse(inUrl(query)).error).toBeUndefined();
});
