import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom statements speak for. Postgres holds them to it by row-level security, whatever their text says. */
export interface Scope {
  /** A project's id; `*` for the service's own work across projects. */
  project: string;
  /** Who is written into the audit log: key:…, session:… or service. */
  actor: string;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs work for one project: rows of others do not exist for it. */
export const asProject = <T>(project: string, actor: string, work: () => T): T =>
  scopes.run({ project, actor }, work);

/** Runs the service's own work, which looks across projects: keys, what is due, the list of projects. */
export const asService = <T>(work: () => T): T => scopes.run({ project: '*', actor: 'service' }, work);

/** Outside of any scope: no rows at all. */
export const anonymous: Scope = { project: '', actor: '' };

export const currentScope = (): Scope => scopes.getStore() ?? anonymous;
