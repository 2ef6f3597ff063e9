import { expect, test } from 'vitest';
import { frameworkLog, openLog } from './log.js';

function written(write: (log: ReturnType<typeof openLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(openLog('debug', 'test', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('of an error its name, code, message, stack and causes are logged, and nothing else that it carries', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (id)=(planted)' });
  const error = Object.assign(new Error('The call failed', { cause }), {
    requestBodyValues: { messages: ['planted'] },
    responseBody: 'planted',
  });
  const [line] = written((log) => log.error({ err: error }, 'it failed'));
  expect(line).toMatchObject({
    level: 50,
    name: 'test',
    msg: 'it failed',
    err: {
      type: 'Error',
      message: 'The call failed',
      stack: expect.stringContaining('log.test.ts') as string,
      cause: { code: '23505', message: 'duplicate key' },
    },
  });
  expect(JSON.stringify(line)).not.toContain('planted');
});

test('what was thrown and is no error is not logged', () => {
  const [line] = written((log) => log.error({ err: { secret: 'planted' } }, 'it failed'));
  expect(line).toMatchObject({ err: { type: 'object' } });
  expect(JSON.stringify(line)).not.toContain('planted');
});

test('lines of a framework are JSON too, with the level that they had', () => {
  const lines = written((log) => {
    frameworkLog(log).warn('slow', 'Router');
    frameworkLog(log).error(new Error('broken'), 'Router');
    frameworkLog(log).log('started');
  });
  expect(lines).toMatchObject([
    { level: 40, msg: 'slow', context: ['Router'] },
    { level: 50, msg: 'broken', err: { message: 'broken' } },
    { level: 20, msg: 'started' },
  ]);
});
