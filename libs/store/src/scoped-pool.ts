import pg from 'pg';
import { ProjectShare } from './project-share.js';
import { currentScope, type Scope } from './scope.js';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** Part of the pool that the statements of one project may take. */
const projectShare = 0.75;

/**
 * A pool whose connections speak for the scope of the caller that checks them out. A connection takes on the role
 * `spillway_app`, which row-level security binds, and is told the project; one that was told already costs nothing.
 * Settings belong to the session, so a pooler between us and Postgres must pool sessions, not transactions. One
 * project takes a share of the connections and no more; the service's own statements are not bounded.
 */
export class ScopedPool extends pg.Pool {
  private readonly told = new WeakMap<pg.PoolClient, Scope>();
  private readonly holders = new WeakMap<pg.PoolClient, string>();
  private readonly share: ProjectShare;

  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
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

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const client = this.checkOut(currentScope());
    if (!callback) return client;
    client.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async checkOut(scope: Scope): Promise<pg.PoolClient> {
    const { project } = scope;
    if (project === '*') return this.tell(await super.connect(), scope);
    await this.share.enter(project);
    const client = await super.connect().catch((error: unknown) => {
      this.share.leave(project);
      throw error;
    });
    this.holders.set(client, project);
    return this.tell(client, scope);
  }

  private async tell(client: pg.PoolClient, scope: Scope): Promise<pg.PoolClient> {
    const known = this.told.get(client);
    if (known?.project === scope.project && known.actor === scope.actor) return client;
    try {
      this.told.delete(client);
      await client.query({ name: 'scope', text: takeOn, values: [scope.project, scope.actor] });
      this.told.set(client, scope);
      return client;
    } catch (error) {
      // A connection that could not be told must not be used by anybody.
      client.release(true);
      throw error;
    }
  }
}

const takeOn = `SELECT set_config('role', 'spillway_app', false), set_config('spillway.project', $1, false),
  set_config('spillway.actor', $2, false)`;
