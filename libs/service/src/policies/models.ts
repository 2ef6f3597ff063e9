import { contextWindowOf, contextWindows, SpillwayError, type ModelPrice } from '@spillway/engine';
import {
  overrideModel as writeOverride,
  removeOverride as deleteOverride,
  unparkProject,
} from '@spillway/store';
import { freshProject } from './policies.js';
import type { Runtime } from '../runtime.js';

export interface KnownModel {
  name: string;
  contextWindow: number;
  /** Where the context window comes from. */
  source: 'registry' | 'override';
  /** USD for a million tokens, as far as the project set them. */
  price: ModelPrice;
}

const unpriced: ModelPrice = { input: null, output: null, cachedInput: null };

/** Known models and what the project says of them, by name. */
export async function listModels(rt: Runtime, projectId: string): Promise<KnownModel[]> {
  const { overrides, prices } = await freshProject(rt, projectId);
  const names = [...Object.keys(contextWindows), ...Object.keys(overrides), ...Object.keys(prices)];
  return [...new Set(names)].sort().map((name) => {
    const override = overrides[name];
    return {
      name,
      contextWindow: override ?? contextWindowOf(name).tokens,
      source: override === undefined ? 'registry' : 'override',
      price: prices[name] ?? unpriced,
    };
  });
}

/**
 * Replaces what the project says of a model: what is left out is as if it had never been set. Prices hold for
 * attempts from now on. Throws `invalid_request` for a model that nobody knows the window of.
 */
export async function overrideModel(
  rt: Runtime,
  projectId: string,
  name: string,
  { contextWindow, price }: { contextWindow: number | null; price: ModelPrice },
): Promise<KnownModel> {
  const known = contextWindowOf(name);
  if (contextWindow === null && !known.known) {
    throw new SpillwayError('invalid_request', 'The context window of this model is not known.', [
      { path: '/context_window', message: 'is required for a model that is not in the registry' },
    ]);
  }
  await writeOverride(rt.store, projectId, name, { contextWindow, price });
  rt.settings.forget(projectId);
  await unparkProject(rt.store.query, projectId, 'irreducible');
  return {
    name,
    contextWindow: contextWindow ?? known.tokens,
    source: contextWindow === null ? 'registry' : 'override',
    price,
  };
}

/** What the registry knows counts again, or the smallest window when it knows nothing. Throws `model_not_found`. */
export async function removeOverride(rt: Runtime, projectId: string, name: string): Promise<void> {
  const removed = await deleteOverride(rt.store, projectId, name);
  rt.settings.forget(projectId);
  await unparkProject(rt.store.query, projectId, 'irreducible');
  if (!removed) throw new SpillwayError('model_not_found', 'The project overrides no model of this name.');
}
