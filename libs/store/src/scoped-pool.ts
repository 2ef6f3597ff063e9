import pg from 'pg';
import { currentScope, type Scope } from './scope.js';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/**
 * A pool whose connections speak for the scope of whoever checks them out. A connection takes on the role
 * `spillway_app`, which row-level security binds, and is told the project; one that was told already costs nothing.
 * Settings belong to the session, so a pooler between us and Postgres must pool sessions, not transactions.
 */
export class ScopedPool extends pg.Pool {
  private readonly told = new WeakMap<pg.PoolClient, Scope>();

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const scope = currentScope();
    const client = super.connect().then((client) => this.tell(client, scope));
    if (!callback) return client;
    client.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
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
