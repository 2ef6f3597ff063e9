/** Why a thread is parked, and what helps. */
export const parkReasons: Record<string, string> = {
  auth: "Parked: the summary model refused the key, or none is configured. Set it, then retry; a worker's start retries by itself.",
  refused:
    'Parked: the model refused to summarize these messages. Retry with another model, or use the extractive one.',
  irreducible:
    'Parked: what must stay verbatim (system prompt, pinned and recent messages) is over the trigger by itself. Give it a larger window or a shorter prompt; new messages retry it.',
  too_many_attempts: 'Parked: every attempt failed. Retry once the cause is mended.',
  poison: 'Parked: workers were lost three times while they compacted it. Look at their logs before a retry.',
};
