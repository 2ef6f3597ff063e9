import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Scope } from './scope.js';

/** Prepared on each connection before its first use. `scopeName` runs it again without parsing. */
export const scopeName = 'scope';
export const setScope = `SELECT set_config('role', 'spillway_app', false), set_config('spillway.project', $1, false),
  set_config('spillway.actor', $2, false)`;

export const scopeValues = (scope: Scope): string[] => [scope.project, scope.actor];

interface Connection {
  readonly stream: Duplex;
  bind(config: { portal: string; statement: string; values: string[] }): void;
  execute(config: { portal: string; rows: number }): void;
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** The handlers that pg calls while a query runs. Its types declare only `submit`. */
interface Handlers extends pg.Submittable {
  submit(connection: pg.Connection): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
}
const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => Handlers;

/**
 * Sets the scope and runs a prepared statement in one message: both are sent before the final Sync, so Postgres skips
 * the statement when setting the scope fails, and reverts the scope when the statement fails. The connection must have
 * prepared `setScope`.
 */
export class ScopedQuery extends Query {
  private isSettingScope = true;

  constructor(
    private readonly scope: Scope,
    config: pg.QueryConfig,
    callback: Callback,
  ) {
    super(config, callback);
  }

  override submit(connection: pg.Connection): Error | null {
    const wire = connection as unknown as Connection;
    wire.stream.cork();
    try {
      wire.bind({ portal: '', statement: scopeName, values: scopeValues(this.scope) });
      wire.execute({ portal: '', rows: 0 });
      return super.submit(connection);
    } finally {
      wire.stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (!this.isSettingScope) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.isSettingScope) this.isSettingScope = false;
    else super.handleCommandComplete(message, connection);
  }
}
