/** The kinds of facts, which a summary keeps or loses letter by letter. Those whose loss hurts most come first. */
export const factKinds = [
  'constraint',
  'path',
  'id',
  'url',
  'email',
  'error',
  'command',
  'number',
  'output',
] as const;

export type FactKind = (typeof factKinds)[number];

export interface Fact {
  kind: FactKind;
  /** As the thread wrote it, on one line. */
  text: string;
}

/**
 * Where a fact is once its range is summarized: the summary says it verbatim, a message that says it is carried
 * beside the summary, or a model no longer sees it.
 */
export const factStates = ['kept', 'carried', 'dropped'] as const;
export type FactState = (typeof factStates)[number];
