import type { Coverage } from './coverage';

export type KeyAction =
  | { type: 'go'; seq: number; far: boolean }
  | { type: 'search' }
  | { type: 'hit'; step: 1 | -1 }
  | { type: 'copy' }
  | { type: 'expand' };

interface At {
  cursor: number | null;
  /** What is in sight, where the cursor starts. */
  first: number;
  last: number;
  lastSeq: number;
  coverage: Coverage;
}

/** What a key does in the timeline; undefined for keys that are not its own. */
export function keyAction(key: string, at: At): KeyAction | undefined {
  const { cursor, coverage, lastSeq } = at;
  const near = (seq: number): KeyAction => ({
    type: 'go',
    seq: Math.min(lastSeq, Math.max(1, seq)),
    far: false,
  });
  const far = (seq: number | undefined): KeyAction | undefined =>
    seq === undefined ? undefined : { type: 'go', seq, far: true };
  switch (key) {
    case 'j':
      return near(cursor === null ? at.first : cursor + 1);
    case 'k':
      return near(cursor === null ? at.last : cursor - 1);
    case '[':
      return far(coverage.cutBefore(cursor ?? at.last));
    case ']':
      return far(coverage.cutAfter(cursor ?? at.first));
    case 'g':
      return far(1);
    case 'G':
      return far(lastSeq);
    case '/':
      return { type: 'search' };
    case 'n':
      return { type: 'hit', step: 1 };
    case 'N':
      return { type: 'hit', step: -1 };
    case 'c':
      return { type: 'copy' };
    case 'Enter':
      return { type: 'expand' };
    default:
      return undefined;
  }
}
