import type { TestRedis } from './test-redis.js';

export interface QueueKeys {
  /** Jobs that wait for a worker. They disappear with the backlog. */
  waiting: number;
  /** Keys that belong to no job in a queue: remains of ended jobs, and the queues' own keys. */
  unexplained: number;
}

/** Each job in a queue has one key, and one more for deduplication; a running one also has a lock. */
const script = `
local waiting, queued = 0, 0
for _, key in ipairs(redis.call('KEYS', 'bull:*')) do
  if key:match(':wait$') then waiting = waiting + redis.call('LLEN', key) end
  if key:match(':prioritized$') then waiting = waiting + redis.call('ZCARD', key) end
  if key:match(':delayed$') or key:match(':completed$') or key:match(':failed$') then queued = queued + redis.call('ZCARD', key) end
  if key:match(':active$') then queued = queued + redis.call('LLEN', key) end
  if key:match(':lock$') or key:match(':de:') then queued = queued + 1 end
end
return waiting .. ' ' .. (redis.call('DBSIZE') - waiting - queued)`.replace(/\s*\n\s*/g, ' ');

/** Counts jobs and the keys of Redis, so that a backlog is not taken for a leak. Throws while Redis is down. */
export async function queueKeysOf(redis: TestRedis): Promise<QueueKeys> {
  const answer = await redis.ask(`EVAL "${script}" 0`);
  const match = /^(\d+) (\d+)\r?$/m.exec(answer);
  if (!match) throw new Error(`Redis does not count its keys: ${answer}`);
  return { waiting: Number(match[1]), unexplained: Number(match[2]) };
}
