import { createHash } from 'node:crypto';
import type { Body } from '@spillway/engine';

/** Where base64 data was in a body. */
export interface MediaReference {
  path: (string | number)[];
  sha256: string;
  extension: string;
  /** The text before the data in the same string: the head of a data URL, or nothing. */
  prefix: string;
}

export interface TakenMedia {
  body: Body;
  references: MediaReference[];
  blobs: Map<string, Buffer>;
}

/** The keys that hold base64 data in the providers' formats. Text is never examined. */
const dataKeys = new Set(['url', 'image_url', 'file_data', 'data', 'image', 'result']);
/** Shorter data stays in the body: a blob would cost more than it saves. */
export const minMediaLength = 8192;

/**
 * Takes base64 data out of a body, so that a screenshot that is posted a hundred times is stored once. The body keeps a
 * marker in its place; `putMedia` restores exactly what was posted.
 */
export function takeMedia(body: Body): TakenMedia {
  const references: MediaReference[] = [];
  const blobs = new Map<string, Buffer>();
  const walk = (value: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => walk(item, [...path, i]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]),
      );
    }
    if (typeof value !== 'string' || value.length < minMediaLength || !dataKeys.has(String(path.at(-1))))
      return value;
    const found = dataOf(value);
    if (!found) return value;
    const sha256 = createHash('sha256').update(found.bytes).digest('hex');
    references.push({ path, sha256, extension: found.extension, prefix: found.prefix });
    blobs.set(sha256, found.bytes);
    return mark(sha256);
  };
  const without = walk(body, []) as Body;
  return references.length > 0 ? { body: without, references, blobs } : { body, references, blobs };
}

/** For a body that is too short to contain media. */
export const noMedia = (body: Body): TakenMedia => ({ body, references: [], blobs: new Map() });

const mark = (sha256: string): string => `spillway-media:${sha256}`;

/** Base64 in the canonical form, so that encoding the bytes gives the same text; nothing else is taken. */
function dataOf(text: string): { bytes: Buffer; prefix: string; extension: string } | undefined {
  const head = /^data:([a-z]{1,20})\/([a-z0-9.+-]{1,60})(?:;[a-z0-9=.+-]{1,60}){0,4};base64,/i.exec(
    text.slice(0, 400),
  );
  const prefix = head?.[0] ?? '';
  const data = text.slice(prefix.length);
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) return undefined;
  return { bytes, prefix, extension: head ? extensionOf(head[2]!) : extensionByBytes(bytes) };
}

/** `jpeg`, `svg+xml`, `vnd.ms-excel` as letters and digits, for the name of a file. */
const extensionOf = (subtype: string): string =>
  /^[a-z0-9]{1,8}/.exec(subtype.toLowerCase().replace(/^(x-|vnd\.)/, ''))?.[0] ?? 'bin';

/** Formats with bare base64 name its type beside it; the first bytes tell the same. */
const signatures: [string, string][] = [
  ['89504e47', 'png'],
  ['ffd8ff', 'jpg'],
  ['47494638', 'gif'],
  ['25504446', 'pdf'],
  ['52494646', 'riff'],
];
const extensionByBytes = (bytes: Buffer): string => {
  const start = bytes.subarray(0, 4).toString('hex');
  return signatures.find(([signature]) => start.startsWith(signature))?.[1] ?? 'bin';
};

/** The body with its data restored. */
export function putMedia(
  body: Body,
  references: readonly MediaReference[],
  blobs: ReadonlyMap<string, Buffer>,
): Body {
  const copy = structuredClone(body);
  for (const { path, sha256, prefix } of references) {
    let at = copy;
    for (const key of path.slice(0, -1)) at = at[key] as typeof at;
    at[path.at(-1)!] = prefix + blobs.get(sha256)!.toString('base64');
  }
  return copy;
}
