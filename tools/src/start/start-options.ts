import { loopback } from '@spillway/embedded';
import type { Ports } from './settings.js';

export interface Start {
  /** Null: a temporary folder that goes away with the rest. */
  dataDir: string | null;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Where API and worker listen. */
  host: string;
  ports: Ports;
  apiKey: string | null;
  /** Where offloaded outputs go (file:// or s3://). Null: into the data folder. */
  outputsUrl: string | null;
  /** Starts api and worker again whenever their code is built anew. */
  watch?: boolean;
  /** Is told each step and whatever a person should know. */
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Servers, folder and ports that nothing else uses, whatever the environment says: existing data is never touched. */
export const ofItsOwn = {
  dataDir: null,
  databaseUrl: null,
  redisUrl: null,
  outputsUrl: null,
  apiKey: null,
  host: loopback,
  ports: { api: 0, console: 0, worker: 0 },
} satisfies Partial<Start>;

/** The folder everything is kept in. */
export interface StartFolder {
  folder: string;
  temporary: boolean;
}
