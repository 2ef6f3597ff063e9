import { expect, test } from 'vitest';
import type { z } from 'zod';
import { answerExamples } from './answer-examples.js';
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

const isSchema = (answer: unknown): answer is z.ZodType => '_zod' in Object(answer);
const answering = Object.values(routes).flatMap(({ id, answers }) =>
  Object.entries(answers).flatMap(([status, answer]) => {
    const schema = [answer].flat().find(isSchema);
    return Number(status) < 300 && schema ? [[id, schema] as const] : [];
  }),
);

test.each(answering)('the example of an answer of %s is one that its contract allows', (id, schema) => {
  const example = answerExamples[id];
  expect(schema.safeParse(example).error).toBeUndefined();
  // A parsed answer has the documented fields only.
  expect(schema.parse(example)).toEqual(example);
});
