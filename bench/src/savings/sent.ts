/** What a model was sent over a whole run. */
export interface Sent {
  tokens: number;
  /** Calls of the model. */
  turns: number;
  /** Calls with more than the window holds. */
  over: number;
  /** Calls a provider would refuse: a call without its result, or a result without its call. */
  invalid: number;
  compactions: number;
  /** Compactions before a call whose last call had one before it too. */
  repeated: number;
  /** Threads that were due for compaction and never got one. */
  stuck: number;
}

export const nothingSent = (): Sent => ({
  tokens: 0,
  turns: 0,
  over: 0,
  invalid: 0,
  compactions: 0,
  repeated: 0,
  stuck: 0,
});

export function add(total: Sent, one: Sent): void {
  for (const key of Object.keys(total) as (keyof Sent)[]) total[key] += one[key];
}
