import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';

type Slots = Schemas['SummarySlots'];
type SlotName = keyof Slots['used'];

export interface SlotRow {
  name: SlotName;
  title: string;
  used: number;
  /** Its share of the room, and whether it took what another left. */
  of: string;
  about: string;
}

const titles: Record<SlotName, string> = {
  instructions: 'Instructions',
  facts: 'Facts',
  narrative: 'Narrative',
};
const about: Record<SlotName, string> = {
  instructions: 'What the user asked for from now on, in the user’s own words',
  facts: 'Values that the thread says, letter by letter: ids, paths, amounts',
  narrative: 'What was written: the task, its state, discoveries, next steps',
};

/** The slots of a summary in words. */
export const slotRows = ({ used, budget }: Slots): SlotRow[] =>
  (['instructions', 'facts', 'narrative'] as const).map((name) => ({
    name,
    title: titles[name],
    used: used[name],
    of: name === 'instructions' ? 'beside it' : ofWords(used[name], budget[name]),
    about: about[name],
  }));

const ofWords = (used: number, budget: number): string =>
  used > budget ? `of ${count(budget)}, ${count(used - budget)} lent` : `of ${count(budget)}`;
