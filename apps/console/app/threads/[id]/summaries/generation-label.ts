import type { Schemas } from '@spillway/client';
import { exactTime } from '@/ui/exact-time';

type Summary = Schemas['Summary'];

/** `task_overview` as `Task overview`; a policy's schema has its own field names. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The state of a generation: a word, and a tone for its mark. */
export function standingOf(summary: Summary): {
  word: string;
  tone: 'active' | 'withdrawn' | 'past';
  about: string;
} {
  if (summary.withdrawn_at) {
    const about = `Withdrawn ${exactTime(summary.withdrawn_at)}: no context shows it`;
    return { word: 'withdrawn', tone: 'withdrawn', about };
  }
  if (summary.state === 'rewound')
    return {
      word: 'rewound',
      tone: 'past',
      about: 'It covers messages that were rewound: no context shows it',
    };
  if (summary.state === 'proposed')
    return { word: 'proposed', tone: 'past', about: 'No context shows it: it waits for an approval' };
  if (summary.state === 'prepared')
    return {
      word: 'prepared',
      tone: 'past',
      about: 'No context shows it yet: the next compaction puts it in place',
    };
  if (summary.active) return { word: 'active', tone: 'active', about: 'What the model is sent now' };
  if (summary.undone_at) {
    const about = `Undone ${exactTime(summary.undone_at)}: what it replaced is active again; it can be restored`;
    return { word: 'undone', tone: 'past', about };
  }
  return { word: 'replaced', tone: 'past', about: 'A newer generation replaced it; it can be restored' };
}

/** All that a summary says, by the titles of the page: its fields, and the facts that code keeps. */
export const textsOf = ({ fields, facts }: Summary): Record<string, string> =>
  facts === '' ? fields : { ...fields, facts };

/** Its text was erased with a message. */
export const isErased = (summary: Summary): boolean => Object.keys(summary.fields).length === 0;
