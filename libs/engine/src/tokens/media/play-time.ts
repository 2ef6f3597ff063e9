export interface Played {
  kind: 'audio' | 'video';
  seconds: number;
}

/** Formats whose play time only their whole content tells, with the bytes that a second of speech or film takes. */
const byStart: { start: RegExp; kind: Played['kind']; bytesPerSecond: number }[] = [
  { start: /^ID3|^\xff[\xe2-\xfb]/, kind: 'audio', bytesPerSecond: 8_000 },
  { start: /^OggS|^fLaC/, kind: 'audio', bytesPerSecond: 4_000 },
  { start: /^\x1a\x45\xdf\xa3/, kind: 'video', bytesPerSecond: 60_000 },
  { start: /^[\s\S]{4}ftypM4A/, kind: 'audio', bytesPerSecond: 8_000 },
  { start: /^[\s\S]{4}ftyp/, kind: 'video', bytesPerSecond: 60_000 },
];

/** How long audio or video plays; undefined for other media. */
export function playTime(bytes: Buffer): Played | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (/^RIFF[\s\S]{4}WAVE/.test(start) && bytes.length >= 32) return wave(bytes);
  const found = byStart.find((of) => of.start.test(start));
  if (!found) return undefined;
  return (
    (start.slice(4, 8) === 'ftyp' ? movie(bytes) : undefined) ?? {
      kind: found.kind,
      seconds: bytes.length / found.bytesPerSecond,
    }
  );
}

const wave = (bytes: Buffer): Played => ({
  kind: 'audio',
  seconds: bytes.length / Math.max(1, bytes.readUInt32LE(28)),
});

/** ISO 14496-12: the box `mvhd` has the units per second and how many the movie takes; live streams have none. */
function movie(bytes: Buffer): Played | undefined {
  const at = bytes.indexOf('mvhd');
  if (at < 0 || at + 40 > bytes.length) return undefined;
  const long = bytes[at + 4] === 1;
  const perSecond = bytes.readUInt32BE(at + (long ? 24 : 16));
  const units = long ? Number(bytes.readBigUInt64BE(at + 28)) : bytes.readUInt32BE(at + 20);
  if (perSecond === 0 || units === 0) return undefined;
  const kind = /hdlr[\s\S]{8}vide/.test(bytes.toString('latin1')) ? 'video' : 'audio';
  return { kind, seconds: units / perSecond };
}
