import { expect, test } from 'vitest';
import { keyAction, timelineShortcuts } from './timeline-keys';

const at = {
  cursor: 5,
  first: 1,
  last: 9,
  lastSeq: 20,
  coverage: { cutBefore: () => 3, cutAfter: () => 8 } as unknown as Parameters<
    typeof keyAction
  >[1]['coverage'],
};

test('every key of the timeline is in the sheet, and g is left to the keys that go to a page', () => {
  for (const { keys } of timelineShortcuts) expect(keyAction(keys, at), keys).toBeDefined();
  expect(keyAction('g', at)).toBeUndefined();
});
