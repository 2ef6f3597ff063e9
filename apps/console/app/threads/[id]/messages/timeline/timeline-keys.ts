import type { KeyboardEvent } from 'react';
import { sequenceBegun } from '@/ui/shortcuts/sequence';
import { singleKeysOn } from '@/ui/shortcuts/single-keys';
import type { Coverage } from '../gutter/coverage';

export type KeyAction =
  | { type: 'go'; seq: number; far: boolean }
  | { type: 'search' }
  | { type: 'hit'; step: 1 | -1 }
  | { type: 'copy' }
  | { type: 'expand' };

interface At {
  cursor: number | null;
  /** The visible range, where the cursor starts. */
  first: number;
  last: number;
  lastSeq: number;
  coverage: Coverage;
}

/** The timeline's keys for the sheet. `g` starts the keys that go to a page, so the first message is `g g`. */
export const timelineShortcuts = [
  { keys: 'j', does: 'Next message' },
  { keys: 'k', does: 'Previous message' },
  { keys: '[', does: 'Previous compaction' },
  { keys: ']', does: 'Next compaction' },
  { keys: 'G', does: 'Newest message' },
  { keys: '/', does: 'Search the thread' },
  { keys: 'n', does: 'Next hit' },
  { keys: 'N', does: 'Previous hit' },
  { keys: 'c', does: 'Copy link to the message' },
  { keys: 'Enter', does: 'Expand the message' },
] as const;

/** The action of a key in the timeline; undefined for other keys. */
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

/** The keys of the timeline. They work while the focus is within it and not in a field or on a button (WCAG 2.1.4). */
export function onTimelineKey(at: Parameters<typeof keyAction>[1], act: (action: KeyAction) => void) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    if (sequenceBegun(event.timeStamp) || (event.key.length === 1 && !singleKeysOn())) return;
    const { target } = event;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    if (event.key === 'Enter' && target !== event.currentTarget) return;
    const action = keyAction(event.key, at);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    act(action);
  };
}
