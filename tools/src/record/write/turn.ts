/** What happened in a recorded thread, before a format says how it is written. Images are PNGs in base64. */
export type Turn =
  | { kind: 'system'; text: string }
  | { kind: 'user'; text: string; images: string[] }
  | { kind: 'assistant'; text: string | null; calls: { id: string; tool: string; args: object }[] }
  | { kind: 'results'; results: TurnResult[] };

export interface TurnResult {
  id: string;
  tool: string;
  text: string;
  isError: boolean;
  image?: string;
}

export type Written = Record<string, unknown>;
/** Writes one turn as the messages that a client of that provider would keep. */
export type Write = (turn: Turn) => Written[];
