import { contextWindowOf, contextWindows, SpillwayError, type ModelPrice } from '@spillway/engine';
import {
  overrideModel as writeOverride,
  removeOverride as deleteOverride,
  unparkIrreducible,
  type ProjectSettings,
} from '@spillway/store';
import { freshProject } from './policies.js';
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
  const project = await freshProject(rt, projectId);
  const names = [
    ...Object.keys(contextWindows),
    ...Object.keys(project.overrides),
    ...Object.keys(project.prices),
  ];
  const models = [...new Set(names)].map((name) => modelOf(project, name));
  return pageOfWhole(models, query, { list: 'models', keyOf: ({ name }) => name });
}

/** Throws `model_not_found` for a model that neither the registry nor the project knows. */
export async function getModel(rt: Runtime, projectId: string, name: string): Promise<KnownModel> {
  const project = await freshProject(rt, projectId);
  if (project.overrides[name] === undefined && !contextWindowOf(name).known)
    throw new SpillwayError('model_not_found', 'Neither the registry nor the project knows this model.');
  return modelOf(project, name);
}

function modelOf(
  { overrides, prices }: Pick<ProjectSettings, 'overrides' | 'prices'>,
  name: string,
): KnownModel {
  const override = overrides[name];
  return {
    name,
    contextWindow: override ?? contextWindowOf(name).tokens,
    source: override === undefined ? 'registry' : 'override',
    price: prices[name] ?? unpriced,
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
  await writeOverride(rt.store, projectId, name, { contextWindow, price });
  rt.settings.forget(projectId);
  await unparkIrreducible(rt.store.query, projectId);
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
  const removed = await deleteOverride(rt.store, projectId, name);
  rt.settings.forget(projectId);
  await unparkIrreducible(rt.store.query, projectId);
  if (!removed) throw new SpillwayError('model_not_found', 'The project has no override of this model.');
}
