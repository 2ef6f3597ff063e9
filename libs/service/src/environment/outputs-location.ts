import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvError } from './env-error.js';

/** S3 credentials come from the usual AWS_* variables, a profile or a role. */
export type OutputsLocation =
  { kind: 'disk'; folder: string } | { kind: 's3'; bucket: string; prefix: string; endpoint?: string };

/**
 * Where SPILLWAY_OUTPUTS leads: `file:///...` or `s3://bucket/prefix`; by default a folder of the data directory. Throws
 * EnvError for a part of the URL that would be ignored.
 */
export function outputsLocation(
  url: string | undefined,
  dataFolder: string,
  endpoint: string | undefined,
): OutputsLocation {
  if (url === undefined) return { kind: 'disk', folder: resolve(dataFolder, 'outputs') };
  return url.startsWith('file:') ? folderOf(url) : bucketOf(url, endpoint);
}

/** A location as SPILLWAY_OUTPUTS names it; a folder by its path. */
export function outputsUrl(location: OutputsLocation): string {
  switch (location.kind) {
    case 'disk':
      return location.folder;
    case 's3':
      return `s3://${location.bucket}/${location.prefix}`;
  }
}

function folderOf(url: string): OutputsLocation {
  try {
    return { kind: 'disk', folder: fileURLToPath(url) };
  } catch {
    throw new EnvError(
      'SPILLWAY_OUTPUTS must have three slashes before an absolute path: file:///data/outputs',
    );
  }
}

function bucketOf(url: string, endpoint: string | undefined): OutputsLocation {
  const { hostname: bucket, pathname, port, username, password, search, hash } = new URL(url);
  if (bucket === '') throw new EnvError('SPILLWAY_OUTPUTS must name a bucket: s3://bucket/prefix');
  if (username !== '' || password !== '') {
    throw new EnvError(
      'SPILLWAY_OUTPUTS must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role',
    );
  }
  if (port !== '' || search !== '' || hash !== '') {
    throw new EnvError(
      'SPILLWAY_OUTPUTS must be s3://bucket/prefix and nothing more: SPILLWAY_S3_ENDPOINT and AWS_REGION say where',
    );
  }
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}
