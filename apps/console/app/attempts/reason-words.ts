interface ReasonWords {
  /** A few words. */
  name: string;
  /** What it means, and what to do about it. */
  why: string;
}

/** Every reason of the API for an attempt without a summary and for a parked thread. */
const words: Record<string, ReasonWords> = {
  irreducible: {
    name: 'irreducible',
    why: 'The fixed content (system prompt, tools, pinned messages, newest turn) exceeds the trigger. Raise the window or shorten the prompt.',
  },
  auth: {
    name: 'the provider refused the key',
    why: 'Set SPILLWAY_LLM_API_KEY to a valid key, or choose a model that the key may use. Restart the workers, then retry.',
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
    why: 'Eight attempts failed. Read the last errors. Often the summary model is too small, or the prompt asks for too much.',
  },
  poison: {
    name: 'attempts never reported back',
    why: 'Three workers ended during this compaction, perhaps because of it. Check their memory and logs, then retry.',
  },
  declined: {
    name: 'its summary was rejected',
    why: 'Another one is proposed once it has grown by a twentieth of its trigger. Retry makes one now.',
  },
  undone: {
    name: 'its newest fold was undone',
    why: 'It is folded again once it has grown by a twentieth of its trigger. Retry folds it now.',
  },
  nothing_to_cut: { name: 'nothing to cut', why: 'All remaining messages must stay verbatim.' },
  too_little_to_reclaim: {
    name: 'too little to reclaim',
    why: 'A summary would hardly be shorter than the messages it replaces.',
  },
  rate_limited: { name: 'rate limited', why: 'The provider is busy. Its Retry-After is honoured.' },
  unavailable: {
    name: 'unavailable',
    why: 'The model or the database did not answer. The compaction is retried. If that goes on, check that they run and that the workers reach them.',
  },
  paused: {
    name: 'provider paused',
    why: 'The provider failed too often. One call at a time tests whether it is back.',
  },
  too_long: {
    name: 'input too long',
    why: 'The input exceeds the window of the summary model. The next attempt sends smaller parts.',
  },
  invalid_answer: {
    name: 'no usable answer',
    why: 'The answer was cut off, was not JSON, or was longer than the messages it replaces. The next attempt uses another approach.',
  },
  aborted: { name: 'aborted', why: 'The attempt lost its lease.' },
  compaction_paused: {
    name: 'compaction paused',
    why: 'The operator paused compaction while it ran. The thread is compacted after the pause.',
  },
  shutting_down: { name: 'shutting down', why: 'Its worker stopped and released it.' },
  internal: { name: 'internal error', why: 'Spillway failed. Read the log of the workers.' },
};

/** A person wanted these threads as they are, and they go on by themselves once they have grown. */
const chosen = new Set(['undone', 'declined']);

/** Whether a thread that is parked for this reason stays parked until a person does something. */
export const needsPerson = (reason: string | undefined): boolean => !chosen.has(reason ?? '');

/** A reason in words. An unknown one is shown unchanged. */
export const reasonWords = (reason: string): ReasonWords =>
  words[reason] ?? { name: reason.replaceAll('_', ' '), why: 'Read the errors of its attempts.' };
