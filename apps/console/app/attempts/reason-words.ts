interface ReasonWords {
  /** A few words. */
  name: string;
  /** What it means and, where a person can do something, what. */
  why: string;
}

/** Every reason that the API gives for an attempt without a summary and for a parked thread. */
const words: Record<string, ReasonWords> = {
  irreducible: {
    name: 'irreducible',
    why: 'What must stay verbatim (the system prompt, pins, tools and the newest turn) is over the trigger by itself. Shorten or unpin it, or raise the window or the trigger; more messages unpark it too.',
  },
  auth: {
    name: 'the provider refused the key',
    why: 'Or none is set. Set a good SPILLWAY_LLM_API_KEY, or a model that this key may use, start the workers again, then retry.',
  },
  refused: {
    name: 'the model refused',
    why: 'It declined to summarize this text; a second time parks the thread. Set another summary model, or summary.provider: extractive, then retry.',
  },
  rejected: {
    name: 'the provider rejected the request',
    why: 'The model does not exist, or the provider does not accept the prompt or schema; see the last error. Correct summary.model, summary.prompt or summary.schema, then retry.',
  },
  too_many_attempts: {
    name: 'too many attempts',
    why: 'Eight attempts failed, each asking in another way. See the last errors: often a summary model that is too small or a prompt that asks for too much.',
  },
  poison: {
    name: 'attempts never reported back',
    why: 'Workers ended in the middle of it three times: it may be this thread that ends them. Look at their memory and logs before you retry.',
  },
  nothing_to_cut: { name: 'nothing to cut', why: 'All that is left is kept verbatim.' },
  too_little_to_reclaim: {
    name: 'too little to reclaim',
    why: 'A summary would hardly be shorter than what it stands for.',
  },
  rate_limited: { name: 'rate limited', why: 'The provider is busy; its Retry-After is kept.' },
  unavailable: { name: 'unavailable', why: 'The model or the database did not answer. It is tried again.' },
  paused: {
    name: 'the provider rests',
    why: 'It failed too often lately; one call at a time finds out when it is back.',
  },
  too_long: {
    name: 'input too long',
    why: 'More than the summary model takes at once; the next attempt sends smaller parts.',
  },
  invalid_answer: {
    name: 'no usable answer',
    why: 'The answer was cut off, no JSON, or longer than what it stands for; the next attempt asks in another way.',
  },
  aborted: { name: 'given up', why: 'The attempt lost its lease.' },
  shutting_down: { name: 'shutting down', why: 'Its worker stopped and gave it back.' },
  internal: { name: 'a defect', why: 'Something went wrong on our side: see the log of the workers.' },
};

/** A reason in words; one that this console does not know is shown as it came. */
export const reasonWords = (reason: string): ReasonWords =>
  words[reason] ?? { name: reason.replaceAll('_', ' '), why: 'See the errors of its attempts.' };
