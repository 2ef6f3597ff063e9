import { randomUUID } from 'node:crypto';
import { asProject, runOnThread } from '@spillway/service';
import { expect, test } from 'vitest';

test('A127 a large text of one project does not wait behind all those of another', async () => {
  const text = 'All work and no play makes dull threads. '.repeat(50_000);
  const [many, one] = [randomUUID(), randomUUID()];
  const ended: string[] = [];
  const read = (project: string) =>
    asProject(project, 'test', async () => {
      await runOnThread('readFacts', { text });
      ended.push(project);
    });
  await Promise.all([...Array.from({ length: 20 }, () => read(many)), read(one)]);
  // After those that had a thread already, and the next one of the other project.
  expect(ended.indexOf(one)).toBeLessThan(6);
});
