import { expect, test } from 'vitest';
import { Uploads } from './uploads.js';

const id = `out_${'a'.repeat(32)}`;

test('an output can be read when a message with its stub is recorded, others at once', async () => {
  const uploads = new Uploads();
  uploads.add(`[Output ${id} is stored]`);
  await uploads.readable('out_other');
  await uploads.readable(undefined);
  const steps: string[] = [];
  const read = uploads.readable(id).then(() => steps.push('read'));
  uploads.recorded([{ content: 'something else' }]);
  await new Promise((resolve) => setImmediate(resolve));
  steps.push('recorded');
  uploads.recorded([{ content: [{ type: 'tool_result', content: `[Output ${id} is stored]` }] }]);
  await read;
  expect(steps).toEqual(['recorded', 'read']);
  await uploads.readable(id);
});
