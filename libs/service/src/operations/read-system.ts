import { checkReadiness, type Readiness } from './check-readiness.js';
import { modelHealth, type ModelHealth } from './model-health.js';
import type { Runtime } from '../runtime.js';
import { version } from './version.js';
import { withoutCredentials, type ShownSettings } from '../policies/shown-settings.js';

export interface System {
  readiness: Readiness;
  versions: { spillway: string; node: string; postgres: string | null };
  /** Null: no model is called. */
  model: {
    provider: string;
    name: string | null;
    baseUrl: string | null;
    hasKey: boolean;
    health: ModelHealth;
  } | null;
  settings: ShownSettings;
}

/** The components of this service, their versions and configuration, without secrets. */
export async function readSystem(rt: Runtime, projectId: string): Promise<System> {
  const [readiness, postgres, health] = await Promise.all([
    checkReadiness(rt),
    postgresVersion(rt),
    modelHealth(rt, projectId),
  ]);
  return {
    readiness,
    versions: { spillway: version, node: process.versions.node, postgres },
    model: rt.llm &&
      health && {
        provider: rt.llm.provider,
        name: rt.llm.model,
        baseUrl: rt.llm.baseUrl === null ? null : withoutCredentials(rt.llm.baseUrl),
        hasKey: rt.llm.apiKey !== null,
        health,
      },
    settings: rt.shownSettings,
  };
}

const ask = { name: 'postgres-version', text: `SELECT current_setting('server_version') AS version` };

/** Null while it does not answer; readiness reports that. */
const postgresVersion = (rt: Runtime): Promise<string | null> =>
  rt.store.query<{ version: string }>(ask, []).then(
    (rows) => rows[0]?.version ?? null,
    () => null,
  );
