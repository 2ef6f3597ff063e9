import { causeOf } from '../program/explain-error.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';
import { requestTimeoutMs } from './check-server.js';

/** BullMQ refuses older ones ... */
const minVersion = '5.0';
/** ... and advises against those before this one. */
const advisedVersion = '6.2';

/** Looks at the Redis of REDIS_URL itself. Reads only. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  const check = 'redis here';
  if (!url) return [notChecked(check, 'REDIS_URL is not set here, so Redis was not looked at directly.')];
  const { Redis } = await import('ioredis');
  let lost: Error | null = null;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: requestTimeoutMs,
    commandTimeout: requestTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Its commands fail with `Connection is closed`; the reason comes as an event.
  redis.on('error', (error: Error) => (lost = error));
  try {
    await redis.connect();
    return findings(await redis.info());
  } catch (error) {
    return [
      problem(
        check,
        `The Redis of REDIS_URL cannot be used: ${causeOf(lost ?? (error as Error))}.`,
        'If API and workers have the same setting, compactions start seconds later and /queues shows nothing.',
        'Check host, port, user and password in REDIS_URL, and that Redis runs.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

function findings(info: string): Finding[] {
  const of = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const policy = of('maxmemory_policy');
  const versionFinding = ofVersion(of('redis_version'));
  if (policy === '' || policy === 'noeviction')
    return [versionFinding, ok('redis memory', 'It evicts no keys.')];
  return [
    versionFinding,
    problem(
      'redis memory',
      `maxmemory-policy is ${policy}.`,
      'A full Redis removes keys of the queues, and jobs are lost or stay locked.',
      'Run `redis-cli config set maxmemory-policy noeviction`, and set it in redis.conf.',
    ),
  ];
}

function ofVersion(version: string): Finding {
  const next = 'Upgrade Redis. What it holds may be dropped: Postgres has all work.';
  const finding = `Redis is ${version}.`;
  if (isOlder(version, minVersion))
    return problem('redis here', finding, 'BullMQ does not start with it.', next);
  if (isOlder(version, advisedVersion))
    return warning('redis here', finding, `BullMQ advises ${advisedVersion} or newer.`, next);
  return ok('redis here', `Redis ${version} answers.`);
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = than.split('.').map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}
