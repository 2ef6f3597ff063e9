import { contextWindows, type Policy, type PolicyInput } from '@spillway/engine';
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
