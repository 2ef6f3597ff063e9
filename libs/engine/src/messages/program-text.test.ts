import { expect, test } from 'vitest';
import { withoutProgramText } from './program-text.js';

test.each([
  ['nothing of a text without them', 'Fix <b>the</b> build.', 'Fix <b>the</b> build.'],
  ['one before the words', '<system-reminder>\nToday is Monday.\n</system-reminder>\n\nGo on.', 'Go on.'],
  [
    'several, of different agents',
    '<session_context>\na\n</session_context>Go<bash-stdout>b</bash-stdout> on.',
    'Go on.',
  ],
  [
    'one that holds another',
    '<system-reminder>a <bash-stdout>b</bash-stdout> c</system-reminder> Go on.',
    'Go on.',
  ],
  ['the time before the words', '<current_datetime>2026-11-30</current_datetime>\n\nGo on.', 'Go on.'],
  ['a message that is nothing else', '<task-notification>done</task-notification>', ''],
  [
    'none that does not end',
    'What is <system-reminder> in the log?',
    'What is <system-reminder> in the log?',
  ],
  [
    'no element of the user',
    '<task_description>Fix it.</task_description>',
    '<task_description>Fix it.</task_description>',
  ],
])('what a coding agent puts into a message is left out: %s', (_, text, kept) => {
  expect(withoutProgramText(text)).toBe(kept);
});

test('a megabyte of elements that do not end is read in linear time', () => {
  const text = '<system-reminder>'.repeat(60_000);
  const before = process.cpuUsage();
  expect(withoutProgramText(text)).toBe(text);
  const { user } = process.cpuUsage(before);
  expect(user).toBeLessThan(500_000);
});
