import type { FactKind, FactState } from './use-facts';

export const factStates: readonly FactState[] = ['kept', 'carried', 'dropped'];

/** What each state means, for a person. */
export const aboutState: Record<FactState, string> = {
  kept: 'The summary contains it literally',
  carried: 'A message that contains it is sent verbatim beside the summary',
  dropped: 'The model no longer sees it; a search of the thread finds it',
};

export const factKinds: readonly { kind: FactKind; word: string; plural: string }[] = [
  { kind: 'constraint', word: 'constraint', plural: 'Constraints' },
  { kind: 'path', word: 'path', plural: 'Paths' },
  { kind: 'id', word: 'id', plural: 'Ids' },
  { kind: 'url', word: 'URL', plural: 'URLs' },
  { kind: 'email', word: 'address', plural: 'Addresses' },
  { kind: 'error', word: 'error', plural: 'Errors' },
  { kind: 'command', word: 'command', plural: 'Commands' },
  { kind: 'number', word: 'number', plural: 'Numbers' },
  { kind: 'output', word: 'output', plural: 'Outputs' },
];
