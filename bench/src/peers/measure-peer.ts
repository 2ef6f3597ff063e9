import { databaseCost } from './database-cost.js';
import { longestStall, type Stall } from './longest-stall.js';
import type { Model } from './model.js';
import { startPeer } from './peer-process.js';
import { runTurns, type TurnsRun } from './run-turns.js';

export interface PeerSetup {
  name: string;
  kind: 'spillway' | 'langgraph' | 'other';
  /** What the model answers when the peer asks for a summary; null: it never asks. */
  summary: unknown;
  open: () => Promise<{
    databaseUrl: string;
    /** A program that calls `serveTurns`, and its options. */
    file: string;
    options: object;
    close: () => Promise<void>;
  }>;
}

export interface PeerResult extends TurnsRun {
  name: string;
  kind: PeerSetup['kind'];
  /** Null for a peer that never asks for a summary. */
  stall: Stall | null;
}

/** Runs one peer alone: the costs of its turns, then how long a slow summary holds it up. */
export async function measurePeer(
  { name, kind, summary, open }: PeerSetup,
  model: Model,
  textOf: (number: number) => string,
): Promise<PeerResult> {
  const { databaseUrl, file, options, close } = await open();
  try {
    model.summary = summary;
    const peer = await startPeer(file, options);
    const database = await databaseCost(databaseUrl);
    try {
      const run = await runTurns({ peer, model, database, textOf });
      const stall = summary === null ? null : await longestStall(peer, model, textOf);
      await peer.stop();
      return { name, kind, stall, ...run };
    } finally {
      // Its connection must not be open when the database is dropped.
      await database.close();
    }
  } finally {
    await close();
  }
}
