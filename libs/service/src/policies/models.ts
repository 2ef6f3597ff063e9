import { contextWindowOf, contextWindows, priceOf, SpillwayError, type ModelPrice } from '@spillway/engine';
import { overrideModel as writeOverride, removeOverride as deleteOverride } from '@spillway/store';
import { hintUnparked } from '../compaction/hint-compaction.js';
import { freshProject } from './fresh-project.js';
import type { Page } from '../paging/cursor.js';
import { pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';

export interface KnownModel {
  name: string;
  contextWindow: number;
  /** The source of the context window. */
  source: 'registry' | 'override';
  /** USD per million tokens, where the project set them. */
  price: ModelPrice;
}

const unpriced: ModelPrice = { input: null, output: null, cachedInput: null };

/** Known models with the project's overrides, by name. */
export async function listModels(
  rt: Runtime,
  projectId: string,
  query: ListQuery,
): Promise<Page<KnownModel>> {
  const { overrides, prices } = await freshProject(rt, projectId);
  const names = [...Object.keys(contextWindows), ...Object.keys(overrides), ...Object.keys(prices)];
  const models = [...new Set(names)].map((name): KnownModel => {
    const override = overrides[name];
    return {
      name,
      contextWindow: override ?? contextWindowOf(name).tokens,
      source: override === undefined ? 'registry' : 'override',
      // Only what was set for this very name: a copy of the settings sets it again.
      price: prices[name] ?? unpriced,
    };
  });
  return pageOfWhole(models, query, { list: 'models', keyOf: ({ name }) => name });
}

/**
 * A model under any of the names that threads may give it. Throws `model_not_found` for one that neither the registry nor
 * the project knows.
 */
export async function getModel(rt: Runtime, projectId: string, name: string): Promise<KnownModel> {
  const { overrides, prices } = await freshProject(rt, projectId);
  const { tokens, known, overridden } = contextWindowOf(name, overrides);
  if (!known)
    throw new SpillwayError('model_not_found', 'Neither the registry nor the project knows this model.');
  return {
    name,
    contextWindow: tokens,
    source: overridden ? 'override' : 'registry',
    price: priceOf(name, prices) ?? unpriced,
  };
}

/**
 * Replaces the project's override of a model: omitted fields are removed. Prices apply to future attempts. Throws
 * `invalid_request` for a model whose window is unknown.
 */
export async function overrideModel(
  rt: Runtime,
  projectId: string,
  name: string,
  { contextWindow, price }: { contextWindow: number | null; price: ModelPrice },
): Promise<KnownModel> {
  const known = contextWindowOf(name);
  if (contextWindow === null && !known.known) {
    throw new SpillwayError('invalid_request', 'The context window of this model is unknown.', [
      { path: '/context_window', message: 'is required for a model that is not in the registry' },
    ]);
  }
  const unparked = await writeOverride(rt.store, projectId, name, { contextWindow, price });
  rt.settings.forget(projectId);
  hintUnparked(rt, unparked);
  return {
    name,
    contextWindow: contextWindow ?? known.tokens,
    source: contextWindow === null ? 'registry' : 'override',
    price,
  };
}

/**
 * Removes an override: the registry applies again, or the smallest window for an unknown model. Throws
 * `model_not_found`.
 */
export async function removeOverride(rt: Runtime, projectId: string, name: string): Promise<void> {
  const unparked = await deleteOverride(rt.store, projectId, name);
  rt.settings.forget(projectId);
  if (unparked) hintUnparked(rt, unparked);
  else throw new SpillwayError('model_not_found', 'The project has no override of this model.');
}
