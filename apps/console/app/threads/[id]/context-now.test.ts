import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { contextNow } from './context-now';

test('an open page of a thread that grows keeps the context of its newest version alone', async () => {
  const queries = new QueryClient();
  const of = (version: number) => ({
    ...contextNow('busy', String(version)),
    // As large as the thread, in place of a server's answer.
    queryFn: () => Promise.resolve({ version } as never),
  });
  const observer = new QueryObserver(queries, of(1));
  const leave = observer.subscribe(() => undefined);
  for (let version = 1; version <= 50; version++) {
    observer.setOptions(of(version));
    await expect.poll(() => observer.getCurrentResult().data).toEqual({ version });
  }
  await expect
    .poll(() => queries.getQueryCache().findAll({ queryKey: ['context', 'busy', 'now'] }).length)
    .toBe(1);
  leave();
});
