import { expect, test } from 'vitest';
import { fixedContentWords } from './fixed-content-words';

const detail = { fixed_tokens: 20_515, limit_tokens: 7_904, trigger_tokens: 7_000, smallest_window: 25_645 };

test('a thread over its limit is told the numbers and the window that repairs it', () => {
  expect(fixedContentWords({ ...detail, serves_context: false })).toBe(
    'Fixed content needs 20,515 tokens; limit is 7,904. Raise the window to at least 25,645 or shorten the prompt.',
  );
});

test('a thread that still serves a context is compared with its trigger; without a window, the trigger is raised', () => {
  expect(fixedContentWords({ ...detail, serves_context: true, smallest_window: null })).toBe(
    'Fixed content needs 20,515 tokens; trigger is 7,000. Raise the trigger or shorten the prompt.',
  );
});
