import { contextWindowOf } from '@spillway/engine';
import { threadsOfFallbackWindow, type ConcernRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** A thread that got no message for a week is not in use. */
const recentMs = 7 * 86_400_000;
/** Models and threads that the concern names. */
const maxNamed = 5;

type GuessedWindows = ConcernRow & { atLeast: boolean };

/** The threads in use whose context window follows from an unknown model, or from none, as one concern. */
export async function guessedWindowConcerns(rt: Runtime, projectId: string): Promise<GuessedWindows[]> {
  const found = await threadsOfFallbackWindow(rt.store.query, projectId, recentMs);
  if (found.length === 0) return [];
  const project = await rt.settings.project(projectId, found[0]!.settingsVersion);
  if (rt.settings.projectDefaults(project).context.context_window !== null) return [];
  const guessed = found.filter(({ model }) => !contextWindowOf(model, project.overrides).known);
  if (guessed.length === 0) return [];
  const models = guessed.flatMap(({ model }) => (model === null ? [] : [model]));
  return [
    {
      kind: 'unknown_model',
      reason: reasonOf(models, guessed.length > models.length),
      count: guessed.reduce((sum, { count }) => sum + count, 0),
      threads: guessed.flatMap(({ threads }) => threads).slice(0, maxNamed),
      atLeast: guessed.some(({ atLeast }) => atLeast),
    },
  ];
}

function reasonOf(models: readonly string[], someHaveNone: boolean): string {
  const named = models.slice(0, maxNamed).join(', ');
  const others = models.length > maxNamed ? ` and ${models.length - maxNamed} more` : '';
  return [
    ...(models.length > 0 ? [`unknown model${models.length > 1 ? 's' : ''} ${named}${others}`] : []),
    ...(someHaveNone ? ['no model'] : []),
  ].join('; ');
}
