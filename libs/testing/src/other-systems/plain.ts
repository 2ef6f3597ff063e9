/** A message as the systems we replace see it: who spoke, what it costs, and which calls it makes or answers. */
export interface Plain {
  role: 'system' | 'user' | 'assistant' | 'tool';
  tokens: number;
  calls: string[];
  answers: string | null;
}
