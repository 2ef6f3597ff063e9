import { readerTools } from '@spillway/client/agent';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolOf } from './readers.js';

const noThread = (): never => {
  throw new Error('No tool is run.');
};

test.each(readerTools())('the model may pass the arguments that $name takes', (tool) => {
  const { properties, required } = z.toJSONSchema(z.object(toolOf(tool, noThread).args)) as {
    properties: Record<string, { type: string; enum?: string[]; description?: string }>;
    required?: string[];
  };
  const plain = Object.entries(properties).map(([key, { type, enum: values, description }]) => [
    key,
    { type, ...(values ? { enum: values } : {}), ...(description ? { description } : {}) },
  ]);
  expect(Object.fromEntries(plain)).toEqual(tool.parameters.properties);
  expect(required ?? []).toEqual(tool.parameters.required ?? []);
});
