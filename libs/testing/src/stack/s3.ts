import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { loopback, onFreePort, temporaryFolder } from '@spillway/embedded';
import { until } from '../until.js';

export interface S3Server {
  endpoint: string;
  bucket: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Ends the server and deletes its data. */
  stop: () => Promise<void>;
}

const bucket = 'spillway-test';

/** A real S3 server as a process, with one bucket that is deleted when it stops. */
export const startS3 = (): Promise<S3Server> => onFreePort(startOn);

async function startOn(port: number): Promise<S3Server> {
  const folder = await temporaryFolder();
  const binary = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');
  const child = spawn(
    process.execPath,
    [binary, '-d', folder.path, '-a', loopback, '-p', String(port), '-s', '--configure-bucket', bucket],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endpoint = `http://${loopback}:${port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await folder.remove();
  };
  const answers = until('the S3 server answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  const died = ended.then(() => {
    throw new Error(`The S3 server ended at once: EADDRINUSE at port ${port}?`);
  });
  await Promise.race([answers, died]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  // The server's own test account.
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return { endpoint, bucket, region: 'us-east-1', credentials, stop };
}
