import { AsyncLocalStorage } from 'node:async_hooks';

/** The scope of statements. Row-level security enforces it, whatever the statement says. */
export interface Scope {
  /** A project's id; `*` for the service's own work across projects. */
  project: string;
  /** The actor in the audit log: key:…, session:…, token:…, operator or service. */
  actor: string;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs work in one project's scope: rows of other projects are invisible. */
export const asProject = <T>(project: string, actor: string, work: () => T): T =>
  scopes.run({ project, actor }, work);

/** Runs the service's own work across projects: keys, due threads, the list of projects. */
export const asService = <T>(work: () => T): T => scopes.run({ project: '*', actor: 'service' }, work);

/** The same for what the operator asks for; the audit log of each project says so. */
export const asOperator = <T>(work: () => T): T => scopes.run({ project: '*', actor: 'operator' }, work);

/** The scope outside any request: no rows are visible. */
export const anonymous: Scope = { project: '', actor: '' };

export const currentScope = (): Scope => scopes.getStore() ?? anonymous;
