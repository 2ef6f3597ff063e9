import { expect, test } from 'vitest';
import { groupUnits, type Entry, type Step } from '../index.js';
import { waitingUnits } from './unit.js';

/**
 * Entries drawn as in the comment of `groupUnits`: u and a are messages, c1 a call, r1 its result, i an item, t a tool
 * message without results, p1 a call that the provider runs, e1 its end.
 */
const draw = (picture: string): Entry[] =>
  picture.split(' ').map((mark, i) => ({
    seq: i + 1,
    role: mark.startsWith('u') ? 'user' : /^[rt]/.test(mark) ? 'tool' : 'assistant',
    tokens: 100,
    pinned: false,
    calls: mark.match(/c\d/g) ?? [],
    answers: (mark.match(/r\d/g) ?? []).map((result) => result.replace('r', 'c')),
    runs: (mark.match(/p\d/g) ?? []).map((call) => call.slice(1)),
    ran: (mark.match(/e\d/g) ?? []).map((end) => end.slice(1)),
    images: 0,
    item: mark.startsWith('i'),
  }));

const drawn = (picture: string): string => {
  const marks = picture.split(' ');
  const text = (entries: readonly Entry[]) => entries.map(({ seq }) => marks[seq - 1]).join(' ');
  const step = ({ members, notes }: Step) =>
    [text(members), ...notes.map((note) => `note ${text([note])}`)].filter((part) => part !== '').join(', ');
  return groupUnits(draw(picture))
    .map(({ steps }) => `[${steps.map(step).join(' | ')}]`)
    .join(' ');
};

test.each([
  ['messages are units of their own', 'u a', '[u] [a]'],
  ['results join their calls', 'c1c2 r1 r2', '[c1c2 r1 r2]'],
  ['results join calls that have one id', 'c1c1 r1 r1', '[c1c1 r1 r1]'],
  ['a result joins its call though the user spoke meanwhile', 'c1 u r1', '[c1 r1 | u]'],
  ['agents that call side by side get their own results', 'c1 c2 r1 r2', '[c1 r1 | c2 r2]'],
  ['items up to the first result are one step', 'i ic1 r1 i', '[i ic1 r1] [i]'],
  ['a result that comes twice becomes a note', 'c1 r1 r1', '[c1 r1] [note r1]'],
  ['the note joins the unit while another call waits', 'c1c2 r1 r1', '[c1c2 r1, note r1]'],
  ['a result without a call becomes a note', 'u r9', '[u] [note r9]'],
  ['a result that the assistant continued without becomes a note', 'c1 a r1', '[c1] [a] [note r1]'],
  ['an approval belongs to the calls before it', 'c1c2 t r1 r2', '[c1c2 t r1 r2]'],
  ['an approval of a call that the provider runs belongs to it', 'u a t a', '[u] [a t] [a]'],
  ['calls with an approval wait for their results', 'c1 t u r1', '[c1 t r1 | u]'],
  ['an approval that no call stands before is a unit', 'u t', '[u] [t]'],
  ['a call of the provider and its end are one unit', 'p1 e1 a', '[p1 | e1] [a]'],
  ['and so is what its program called in between', 'p1c1 r1 c2 r2 e1 c3', '[p1c1 r1 | c2 r2 | e1] [c3]'],
  ['a message may end one call of the provider and begin another', 'a p1 e1p2 e2', '[a] [p1 | e1p2 | e2]'],
  ['the end of a call that is not there is a message', 'a e1', '[a] [e1]'],
])('%s', (_what, picture, units) => {
  expect(drawn(picture)).toBe(units);
});

test.each([
  ['none without a call', 'u a', 0],
  ['a call and what the user said since', 'u a c1 u', 2],
  ['none once the assistant went on', 'c1 a', 0],
  ['from the call of the provider on, while its program calls tools', 'u p1c1 r1 c2 r2', 2],
  ['none once it has ended', 'u p1c1 r1 e1', 0],
  ['from the oldest one that has not ended', 'p1 a p2 e2', 3],
  ['none once the user spoke: the provider does not take it up again', 'p1 u a', 0],
])('units that a result may come for: %s', (_what, picture, count) => {
  expect(waitingUnits(groupUnits(draw(picture)))).toBe(count);
});
