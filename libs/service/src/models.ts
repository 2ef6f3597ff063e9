import { contextWindows, SpillwayError } from '@spillway/engine';
import { overrideModel as writeOverride, removeOverride as deleteOverride } from '@spillway/store';
import { freshProject } from './policies.js';
import type { Runtime } from './runtime.js';

export interface ModelWindow {
  name: string;
  contextWindow: number;
  source: 'registry' | 'override';
}

/** Known models and the project's overrides, by name. */
export async function listModels(rt: Runtime, projectId: string): Promise<ModelWindow[]> {
  const { overrides } = await freshProject(rt, projectId);
  const names = [...new Set([...Object.keys(contextWindows), ...Object.keys(overrides)])].sort();
  return names.map((name) => {
    const override = overrides[name];
    return override === undefined
      ? { name, contextWindow: contextWindows[name]!, source: 'registry' }
      : { name, contextWindow: override, source: 'override' };
  });
}

export async function overrideModel(
  rt: Runtime,
  projectId: string,
  name: string,
  contextWindow: number,
): Promise<ModelWindow> {
  await writeOverride(rt.store, projectId, name, contextWindow);
  rt.settings.forget(projectId);
  return { name, contextWindow, source: 'override' };
}

/** What the registry knows counts again, or the smallest window when it knows nothing. Throws `model_not_found`. */
export async function removeOverride(rt: Runtime, projectId: string, name: string): Promise<void> {
  const removed = await deleteOverride(rt.store, projectId, name);
  rt.settings.forget(projectId);
  if (!removed) throw new SpillwayError('model_not_found', 'The project overrides no model of this name.');
}
