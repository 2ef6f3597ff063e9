import type { Query, Store } from './connection/store.js';
import { unparkOfProject } from './sql/compaction/unpark.js';
import type { HintedThread } from './threads/thread-row.js';

/** USD per million tokens; null where no price is set. */
export interface PriceRow {
  input: number | null;
  output: number | null;
  cachedInput: number | null;
}

export interface ProjectSettings {
  projectId: string;
  settingsVersion: number;
  /** PolicyInput as JSON. */
  policy: string;
  /** Context windows by model name. */
  overrides: Record<string, number>;
  /** Prices by model name. */
  prices: Record<string, PriceRow>;
}

export async function readSettings(
  { prisma }: Store,
  projectId: string,
): Promise<ProjectSettings | undefined> {
  const [project, overrides] = await Promise.all([
    prisma.project.findFirst({ where: { id: projectId, erasedAt: null } }),
    prisma.modelOverride.findMany({ where: { projectId } }),
  ]);
  if (!project) return undefined;
  return {
    projectId,
    settingsVersion: project.settingsVersion,
    policy: project.policy,
    overrides: Object.fromEntries(
      overrides.flatMap((row) => (row.contextWindow === null ? [] : [[row.name, row.contextWindow]])),
    ),
    prices: Object.fromEntries(
      overrides.map((row) => [
        row.name,
        { input: row.inputPrice, output: row.outputPrice, cachedInput: row.cachedInputPrice },
      ]),
    ),
  };
}

// Each change below moves settings_version, by which every process detects stale caches, and makes threads due again
// that were parked for what is changed: both or neither. It returns the first of these threads.

/** With `before`, only that policy is replaced: undefined when it changed meanwhile. */
export const changeProjectPolicy = (
  { transaction }: Store,
  projectId: string,
  policy: string,
  before?: string,
): Promise<HintedThread[] | undefined> =>
  transaction(async (query) => {
    const changed = await query(
      {
        name: 'change-policy',
        text: `UPDATE projects SET policy = $2, settings_version = settings_version + 1
          WHERE id = $1 AND erased_at IS NULL AND ($3::text IS NULL OR policy = $3) RETURNING id`,
      },
      [projectId, policy, before ?? null],
    );
    // The change may have fixed the model, the prompt or the schema that a provider rejected.
    return changed.length === 0 ? undefined : unparkOfProject(query, projectId, ['irreducible', 'rejected']);
  });

export interface ModelOverrideRow {
  /** Null: the registry's. */
  contextWindow: number | null;
  price: PriceRow;
}

/** Replaces the project's override of a model. */
export const overrideModel = (
  { transaction }: Store,
  projectId: string,
  name: string,
  { contextWindow, price }: ModelOverrideRow,
): Promise<HintedThread[]> =>
  transaction(async (query) => {
    await query(
      {
        name: 'override-model',
        text: `INSERT INTO model_overrides (project_id, name, context_window, input_price, output_price, cached_input_price)
          VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, name) DO UPDATE SET
            context_window = excluded.context_window, input_price = excluded.input_price,
            output_price = excluded.output_price, cached_input_price = excluded.cached_input_price`,
      },
      [projectId, name, contextWindow, price.input, price.output, price.cachedInput],
    );
    return windowsChanged(query, projectId);
  });

/** Undefined when the project has no override of this model. */
export const removeOverride = (
  { transaction }: Store,
  projectId: string,
  name: string,
): Promise<HintedThread[] | undefined> =>
  transaction(async (query) => {
    const removed = await query(
      {
        name: 'remove-override',
        text: 'DELETE FROM model_overrides WHERE project_id = $1 AND name = $2 RETURNING name',
      },
      [projectId, name],
    );
    return removed.length === 0 ? undefined : windowsChanged(query, projectId);
  });

/** The windows decide what fits, so what was parked as irreducible may be reducible now. */
async function windowsChanged(query: Query, projectId: string): Promise<HintedThread[]> {
  await query(
    {
      name: 'move-settings',
      text: 'UPDATE projects SET settings_version = settings_version + 1 WHERE id = $1',
    },
    [projectId],
  );
  return unparkOfProject(query, projectId, ['irreducible']);
}
