import { SummarizerError, type Summarizer, type SummarizerFailure } from '@spillway/llm';
import type { Chance } from './chance.js';
import type { Clock } from './clock.js';
import type { Faults } from './faults.js';
import type { Gate } from './memory/memory-store.js';
import { promise } from './violation.js';

/** Failures with an error, failures that only a check of the summary detects, and the call that hangs. */
const troubles = [
  ...(['unavailable', 'rate_limited', 'too_long', 'rejected', 'refused', 'invalid_answer'] as const),
  ...(['not_shrinking', 'never'] as const),
];

/** Eight failed attempts, three lost ones, and those of an outage in which parking fails. */
const maxAttempts = 14;

interface World {
  clock: Clock;
  chance: Chance;
  faults: () => Faults;
}

/** A model with short summaries, which is sometimes slow, wrong, down or silent. */
export function simulatedModel({ clock, chance, faults }: World, gate: Gate): Summarizer {
  return {
    summarize: ({ messages, prior, attempt, maxTokens, timeoutMs, signal }) => {
      promise(attempt <= maxAttempts, () => `the model was called in attempt ${attempt}`);
      const isBad = chance.happens(faults().badSummary);
      const trouble = isBad ? (chance.happens(0.02) ? 'auth' : chance.pick(troubles)) : null;
      const from = clock.now + chance.below(400);
      const until = trouble === 'never' ? clock.now + timeoutMs : from;
      return gate({
        name: 'summarize',
        isOfModel: true,
        isReady: () => signal.aborted || clock.now >= until,
        perform: () => {
          if (signal.aborted) throw new SummarizerError('aborted', 'The lease was lost.');
          if (trouble === 'never') throw new SummarizerError('unavailable', 'The model did not answer.');
          if (trouble !== null && trouble !== 'not_shrinking') throw failure(trouble, chance);
          const before = Number(prior?.current_state?.match(/\d+/)?.[0] ?? 0);
          const text = `${before + messages.length} messages`;
          const long = trouble === 'not_shrinking' ? 'and so on '.repeat(maxTokens * 4) : '';
          const fields = { task_overview: 'A task.', current_state: text + long, next_steps: '' };
          const rest = { important_discoveries: '', context_to_preserve: '' };
          return { fields: { ...fields, ...rest }, method: 'llm' as const, model: 'simulated' };
        },
      }) as ReturnType<Summarizer['summarize']>;
    },
  };
}

const failure = (kind: SummarizerFailure, chance: Chance): SummarizerError =>
  new SummarizerError(kind, `The model: ${kind}.`, kind === 'rate_limited' ? chance.below(60_000) : null);
