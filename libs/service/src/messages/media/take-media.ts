import { createHash } from 'node:crypto';
import { inlineMediaIn, mediaMark, replaceData, tokensOfBytes, type Body } from '@spillway/engine';

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

/**
 * Takes base64 data out of a body, so that a screenshot that is posted a hundred times is stored once. The body keeps a
 * marker in its place; `putMedia` restores exactly what was posted.
 */
export function takeMedia(body: Body): TakenMedia {
  const references: MediaReference[] = [];
  const blobs = new Map<string, Buffer>();
  const without = replaceData(body, (text, path) => {
    const found = inlineMediaIn(text);
    if (!found) return text;
    const bytes = Buffer.from(found.data, 'base64');
    const extension = found.subtype === null ? extensionByBytes(bytes) : extensionOf(found.subtype);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    references.push({ path, sha256, extension, prefix: found.prefix });
    blobs.set(sha256, bytes);
    return mediaMark(sha256, tokensOfBytes(bytes));
  }) as Body;
  return references.length > 0 ? { body: without, references, blobs } : { body, references, blobs };
}

/** For a body that is too short to contain media. */
export const noMedia = (body: Body): TakenMedia => ({ body, references: [], blobs: new Map() });

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
    const place = placeOf(copy, path);
    if (!place) throw new TypeError(`The body has no place ${JSON.stringify(path)} for its media.`);
    place[path.at(-1)!] = prefix + blobs.get(sha256)!.toString('base64');
  }
  return copy;
}

type Place = Record<string | number, unknown>;

/**
 * The object or the list that a path of a body ends in; undefined when the body has no such path. Steps are own
 * properties: by `__proto__` a path would lead to the prototype of all objects.
 */
export function placeOf(body: Body, path: MediaReference['path']): Place | undefined {
  let at: unknown = body;
  for (const [i, step] of path.entries()) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    if (i === path.length - 1) return at as Place;
    at = (at as Place)[step];
  }
  return undefined;
}
