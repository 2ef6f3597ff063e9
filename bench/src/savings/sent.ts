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
}

export const nothingSent = (): Sent => ({ tokens: 0, turns: 0, over: 0, invalid: 0, compactions: 0 });

export function add(total: Sent, one: Sent): void {
  total.tokens += one.tokens;
  total.turns += one.turns;
  total.over += one.over;
  total.invalid += one.invalid;
  total.compactions += one.compactions;
}
