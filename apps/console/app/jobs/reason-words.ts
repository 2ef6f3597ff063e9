interface ReasonWords {
  /** A few words. */
  name: string;
  /** What it means and what to do. */
  why: string;
}

const parked: Record<string, ReasonWords> = {
  irreducible: {
    name: 'irreducible',
    why: 'What can not be summarized (the system prompt, pins, tools and the newest turn) exceeds the trigger by itself. Shorten or unpin it, or raise the window or the trigger; more messages unpark it too.',
  },
  auth: {
    name: 'the provider refused the key',
    why: 'Set a good SPILLWAY_LLM_API_KEY, or a model that this key may use, start the workers again, then retry.',
  },
  refused: {
    name: 'the model refused',
    why: 'It declined to summarize this text twice. Set another summary model, or summary.provider: extractive, then retry.',
  },
  too_many_attempts: {
    name: 'too many attempts',
    why: 'Eight attempts failed, each asking in another way. See the last errors: often a summary model that is too small or a prompt that asks for too much.',
  },
  poison: {
    name: 'attempts never reported back',
    why: 'Workers ended in the middle of it three times: it may be this thread that ends them. Look at their memory and logs before you retry.',
  },
};

const failures: Record<string, ReasonWords> = {
  rate_limited: { name: 'rate limited', why: 'The provider is busy; its Retry-After is kept.' },
  unavailable: { name: 'unavailable', why: 'The model or the database did not answer. It is tried again.' },
  too_long: {
    name: 'input too long',
    why: 'More than the summary model takes at once; the next attempt sends smaller parts.',
  },
  invalid_answer: {
    name: 'no usable answer',
    why: 'The answer was cut off, no JSON, or longer than what it stands for; the next attempt asks in another way.',
  },
  refused: { name: 'refused', why: 'The model declined to summarize this text.' },
  aborted: { name: 'given up', why: 'The attempt lost its lease.' },
  internal: { name: 'a defect', why: 'Something went wrong on our side: see the log of the workers.' },
  shutting_down: { name: 'shutting down', why: 'Its worker stopped and gave it back.' },
};

const spaced = (reason: string): string => reason.replaceAll('_', ' ');

/** Why a thread is parked, and what a person can do about it. */
export const parkedWords = (reason: string): ReasonWords =>
  parked[reason] ?? { name: spaced(reason), why: 'See the errors of its attempts.' };

/** Why an attempt did not succeed. */
export const failureWords = (reason: string): ReasonWords =>
  failures[reason] ?? parked[reason] ?? { name: spaced(reason), why: '' };
