import type { OnCue } from './cue.js';

/** FNV-1a of 32 bits. */
const startOfHash = 0x811c9dc5;
const hashOn = (hash: number, text: string): number => {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
};
const separator = '_';

/** The hash of the name of a cue, from its parts. */
function hashOfCue(kind: string, one: string, two?: string, three?: string, four?: string): number {
  let hash = hashOn(hashOn(startOfHash, kind), one);
  if (two === undefined) return hash;
  hash = hashOn(hashOn(hash, separator), two);
  if (three === undefined) return hash;
  hash = hashOn(hashOn(hash, separator), three);
  return four === undefined ? hash : hashOn(hashOn(hash, separator), four);
}

/**
 * The places of known cues by the hash of their name. A sentence shows about a hundred and fifty cues, most of which are
 * unknown: no name is made and kept to find that out. Of unknown ones one in a hundred thousand is taken for a known one.
 */
export class CueTable {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** 0 where nothing is, else the place and 1. */
  private readonly places: Int32Array;

  constructor(names: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(names.length * 3 + 1));
    this.mask = size - 1;
    this.hashes = new Int32Array(size);
    this.places = new Int32Array(size);
    names.forEach((name, place) => this.add(hashOfCue('', name), place));
  }

  /** The place of a cue in the list, -1 of an unknown one. */
  placeOf(...[kind, one, two, three, four]: Parameters<OnCue>): number {
    const hash = hashOfCue(kind, one, two, three, four);
    let slot = hash & this.mask;
    while (this.places[slot] !== 0) {
      if (this.hashes[slot] === hash) return this.places[slot]! - 1;
      slot = (slot + 1) & this.mask;
    }
    return -1;
  }

  private add(hash: number, place: number): void {
    let slot = hash & this.mask;
    while (this.places[slot] !== 0) slot = (slot + 1) & this.mask;
    this.hashes[slot] = hash;
    this.places[slot] = place + 1;
  }
}
