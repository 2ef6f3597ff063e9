import type { MemoryStatement } from '../statement.js';

/** Of the row that Postgres returns, only the id: nothing else of a project is here. */
export const pauseProject: MemoryStatement = {
  run: (tables, [id, isPaused]) => {
    const project = tables.projects.get(String(id));
    if (!project) return [];
    project.isPaused = isPaused === true;
    return [{ id: project.id }];
  },
};

export const readCompactionPause: MemoryStatement = {
  run: (tables, [id]) =>
    tables.isPaused(String(id)) ? [{ pausedAt: new Date(tables.now()), scope: 'project' }] : [],
};
