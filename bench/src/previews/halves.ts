/** Rules are tuned on one half of the families alone; the other says whether they generalize. */
export type Half = 'tuned' | 'held back';

/** The half that a family belongs to, by its name alone (FNV-1a). */
export function halfOf(name: string): Half {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & 1 ? 'tuned' : 'held back';
}
