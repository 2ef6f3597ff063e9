export { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.js';
export { type RedisOptions, startRedis, type StartedRedis } from './redis.js';
export { freePort, loopback, requireFreePort } from './port.js';
export { errorCode, StartError } from './start-error.js';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder.js';
export { type AppOptions, type RunningApp, supervise } from './supervise.js';
export { Teardown } from './teardown.js';
export { claim } from './owner.js';
export { makeFolder } from './make-folder.js';
