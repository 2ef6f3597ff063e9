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
  /** The hash of the cue in each slot, and beside it, in the same line of the processor's cache, its place and 1. */
  private readonly slots: Int32Array;

  constructor(names: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(names.length * 3 + 1));
    this.mask = 2 * size - 1;
    this.slots = new Int32Array(2 * size);
    names.forEach((name, place) => this.add(hashOfCue('', name), place));
  }

  /** The place of a cue in the list, -1 of an unknown one. */
  placeOf(...[kind, one, two, three, four]: Parameters<OnCue>): number {
    const hash = hashOfCue(kind, one, two, three, four);
    const { slots, mask } = this;
    let slot = (hash << 1) & mask;
    while (slots[slot + 1] !== 0) {
      if (slots[slot] === hash) return slots[slot + 1]! - 1;
      slot = (slot + 2) & mask;
    }
    return -1;
  }

  private add(hash: number, place: number): void {
    const { slots, mask } = this;
    let slot = (hash << 1) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = hash;
    slots[slot + 1] = place + 1;
  }
}
