import type { Holds } from '@spillway/engine';

/** The holds of a generation as its row has them. */
export const heldIn = (holds: string | null): Holds | undefined =>
  holds === null ? undefined : (JSON.parse(holds) as Holds);

/** The same for a row; null when nothing is held. */
export const holdsColumn = (holds: Holds): string | null =>
  holds.kept.length + holds.released.length === 0 ? null : JSON.stringify(holds);
