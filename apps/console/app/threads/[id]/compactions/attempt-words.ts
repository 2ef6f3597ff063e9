import type { Schemas } from '@spillway/client';

type Attempt = Schemas['CompactionAttempt'];

const triggers: Record<Attempt['trigger'], string> = {
  automatic: 'by itself',
  manual: 'by hand',
  rebuild: 'rebuild',
};
export const triggerOf = ({ trigger }: Attempt): string => triggers[trigger];

const reasons: Record<string, string> = {
  nothing_to_cut: 'all that is left is kept verbatim',
  too_little_to_reclaim: 'too little would be reclaimed',
  rate_limited: 'the provider limits how often it is asked',
  unavailable: 'the provider or a service could not be reached',
  paused: 'the provider is given a rest',
  too_long: 'the range was too long for the model',
  auth: 'the provider refused the key, or none is set',
  refused: 'the model declined to summarize it',
  invalid_answer: 'the model’s answer could not be used',
  aborted: 'it was stopped',
  shutting_down: 'the worker shut down; it starts again elsewhere',
  irreducible: 'nothing more can be summarized, and it is still over its trigger',
  poison: 'its last attempts never reported back',
  too_many_attempts: 'it failed too often',
  internal: 'a defect; the log says more',
  lost_cas: 'the thread changed meanwhile',
};

/** Why an attempt ended as it did, in words; the code itself where there are none. */
export const reasonOf = ({ reason }: Attempt): string | null =>
  reason === null ? null : (reasons[reason] ?? reason.replaceAll('_', ' '));

/** What became of it, in a word or two. */
export const outcomeOf = ({ outcome }: Attempt): string =>
  outcome === null ? 'running' : outcome === 'lost_cas' ? 'overtaken' : outcome.replaceAll('_', ' ');
