import {
  contextWindowOf,
  contextWindows,
  SpillwayError,
  type ModelPrice,
  type Policy,
  type PolicyInput,
} from '@spillway/engine';
import { changeProjectPolicy, overrideModel as writeOverride } from '@spillway/store';
import type { Runtime } from './runtime.js';
import { noThread, refuseBadPolicy } from './settings.js';

/** The project's settings as they are now: another process may have changed them. */
function freshProject(rt: Runtime, projectId: string) {
  rt.settings.forget(projectId);
  return rt.settings.project(projectId);
}

/** What the project set, and what applies once server and defaults are merged in. */
export async function getPolicy(
  rt: Runtime,
  projectId: string,
): Promise<{ policy: PolicyInput; effective: Policy }> {
  const project = await freshProject(rt, projectId);
  const settings = await rt.settings.resolve(project, noThread);
  return { policy: JSON.parse(project.policy) as PolicyInput, effective: settings.policy };
}

/** Replaces the project's policy. Threads follow with their next message. */
export async function changePolicy(rt: Runtime, projectId: string, policy: PolicyInput) {
  const project = await freshProject(rt, projectId);
  const settings = await rt.settings.resolve({ ...project, policy: JSON.stringify(policy) }, noThread);
  refuseBadPolicy(settings, rt.summarizers);
  await changeProjectPolicy(rt.store, projectId, JSON.stringify(policy));
  rt.settings.forget(projectId);
  return getPolicy(rt, projectId);
}

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
  const said = [...Object.keys(contextWindows), ...Object.keys(overrides), ...Object.keys(prices)];
  return [...new Set(said)].sort().map((name) => {
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
  return {
    name,
    contextWindow: contextWindow ?? known.tokens,
    source: contextWindow === null ? 'registry' : 'override',
    price,
  };
}
