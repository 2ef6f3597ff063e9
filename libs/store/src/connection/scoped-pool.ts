import pg from 'pg';
import { ProjectShare } from './project-share.js';
import { currentScope, type Scope } from './scope.js';
import { ScopedQuery, scopeName, scopeValues, setScope } from './scoped-query.js';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** Connections of a process. */
export interface PoolUse {
  used: number;
  idle: number;
  /** Statements that wait for a connection, also for the share of their project. */
  waiting: number;
  max: number;
}

type ScopedPoolConfig = pg.PoolConfig & {
  max: number;
  connectionTimeoutMillis: number;
  /**
   * Settings of each session. They are set by a statement: PgBouncer refuses a connection that brings them along, or is
   * told to ignore them.
   */
  settings: Readonly<Record<string, number>>;
};

/** Share of the pool for the statements of one project. */
const projectShare = 0.75;

/**
 * A pool whose connections have the scope of the caller. A connection switches to the role `spillway_app`, which
 * row-level security binds, and to the project; one with the right scope needs no switch. These settings belong to the
 * database session, so a pooler in front of Postgres must pool sessions, not transactions. One project gets a share of
 * the connections; the service's own statements are not limited.
 */
export class ScopedPool extends pg.Pool {
  /** The confirmed scope of a connection. */
  private readonly scopes = new WeakMap<pg.PoolClient, Scope>();
  /** Connections that have the settings, and have prepared the statement that sets the scope. */
  private readonly prepared = new WeakSet<pg.PoolClient>();
  private readonly holders = new WeakMap<pg.PoolClient, string>();
  private readonly share: ProjectShare;
  private readonly setSettings: string;

  constructor({ settings, ...config }: ScopedPoolConfig) {
    super(config);
    const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
    this.setSettings = `SELECT ${set.join(', ')}`;
    this.share = new ProjectShare(
      Math.max(1, Math.floor(config.max * projectShare)),
      config.connectionTimeoutMillis,
    );
    this.on('release', (_error, client) => {
      const project = this.holders.get(client);
      this.holders.delete(client);
      if (project !== undefined) this.share.leave(project);
    });
  }

  /** Runs one prepared statement in the current scope, without an extra round trip. */
  async run<Row extends pg.QueryResultRow>(config: pg.QueryConfig & { name: string }): Promise<Row[]> {
    const scope = currentScope();
    const client = await this.checkOut(scope);
    let failed: Error | undefined;
    try {
      if (!this.prepared.has(client)) {
        await this.take(client, scope);
      }
      const change = this.has(client, scope) ? null : scope;
      if (change) this.scopes.delete(client);
      const rows = await new Promise<pg.QueryResultRow[]>((resolve, reject) => {
        client.query(
          new ScopedQuery(change, config, (error, made) => (error ? reject(error) : resolve(made))),
        );
      });
      if (change) this.scopes.set(client, scope);
      return rows as Row[];
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      // Like a pool's `query`: a connection whose statement failed is closed.
      client.release(failed);
    }
  }

  /** What its connections do now. */
  use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this;
    const waiting = waitingCount + this.share.waitingCount();
    return { used: totalCount - idleCount, idle: idleCount, waiting, max: this.options.max };
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const client = this.connectAs(currentScope());
    if (!callback) return client;
    client.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** A connection with the scope. */
  private async connectAs(scope: Scope): Promise<pg.PoolClient> {
    const client = await this.checkOut(scope);
    if (this.has(client, scope)) return client;
    try {
      await this.take(client, scope);
      return client;
    } catch (error) {
      // A connection with an unknown scope must not be used.
      client.release(true);
      throw error;
    }
  }

  private async checkOut({ project }: Scope): Promise<pg.PoolClient> {
    if (project === '*') return super.connect();
    await this.share.enter(project);
    const client = await super.connect().catch((error: unknown) => {
      this.share.leave(project);
      throw error;
    });
    this.holders.set(client, project);
    return client;
  }

  private has(client: pg.PoolClient, { project, actor }: Scope): boolean {
    const scope = this.scopes.get(client);
    return scope?.project === project && scope.actor === actor;
  }

  private async take(client: pg.PoolClient, scope: Scope): Promise<void> {
    this.scopes.delete(client);
    if (!this.prepared.has(client)) await client.query(this.setSettings);
    await client.query({ name: scopeName, text: setScope, values: scopeValues(scope) });
    this.scopes.set(client, scope);
    this.prepared.add(client);
  }
}
