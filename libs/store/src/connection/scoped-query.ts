import type { Duplex } from 'node:stream';
import pg from 'pg';
import { RowReader, type Column, type SentRow } from './row-reader.js';
import type { Scope } from './scope.js';

/** Prepared on each connection before its first use. `scopeName` runs it again without parsing. */
export const scopeName = 'scope';
export const setScope = `SELECT set_config('role', 'spillway_app', false), set_config('spillway.project', $1, false),
  set_config('spillway.actor', $2, false)`;

export const scopeValues = (scope: Scope): string[] => [scope.project, scope.actor];

interface Connection {
  readonly stream: Duplex;
  bind(config: { portal: string; statement: string; values: string[] }): void;
  describe(message: unknown): void;
  execute(config: { portal: string; rows: number }): void;
}

/** The handlers that pg calls while a query runs. Its types declare only `submit`. */
interface Handlers extends pg.Submittable {
  callback: (error: Error | undefined, rows: pg.QueryResultRow[]) => void;
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: { fields: readonly Column[] }): void;
  handleDataRow(message: { fields: SentRow }): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
  handleReadyForQuery(connection: unknown): void;
}
const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: Handlers['callback']) => Handlers;

/** What is known of the statements that a connection has prepared. */
interface Known {
  readers: Map<string, RowReader>;
  /** The connection, except that it describes nothing. */
  undescribed: pg.Connection;
}

const knownOf = new WeakMap<object, Known>();

function knownTo(connection: pg.Connection): Known {
  let known = knownOf.get(connection);
  if (!known) {
    const undescribed = Object.create(connection, {
      describe: { value: () => undefined },
    }) as pg.Connection;
    known = { readers: new Map(), undescribed };
    knownOf.set(connection, known);
  }
  return known;
}

/**
 * Runs a prepared statement, and before it sets the scope in the same message, unless the connection has it already:
 * both are sent before the final Sync, so Postgres skips the statement when setting the scope fails, and reverts the
 * scope when the statement fails. The connection must have prepared `setScope`.
 *
 * A statement is described the first time that a connection runs it, and not again: pg asks each time, and Postgres
 * looks up the name and the type of each column to answer. When a column changes its type meanwhile, Postgres refuses
 * the prepared statement.
 */
export class ScopedQuery extends Query {
  private isSettingScope: boolean;
  private known: Known | undefined;
  private reader: RowReader | undefined;
  private unreadable: Error | undefined;
  private readonly made: pg.QueryResultRow[] = [];

  constructor(
    private readonly scope: Scope | null,
    private readonly config: pg.QueryConfig & { name: string },
    callback: (error: Error | undefined, rows: pg.QueryResultRow[]) => void,
  ) {
    super(config, callback);
    this.isSettingScope = scope !== null;
  }

  override submit(connection: pg.Connection): Error | null {
    this.known = knownTo(connection);
    this.reader = this.known.readers.get(this.config.name);
    const wire = connection as unknown as Connection;
    wire.stream.cork();
    try {
      if (this.scope) {
        wire.bind({ portal: '', statement: scopeName, values: scopeValues(this.scope) });
        wire.execute({ portal: '', rows: 0 });
      }
      return super.submit(this.reader ? this.known.undescribed : connection);
    } finally {
      wire.stream.uncork();
    }
  }

  override handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.reader = new RowReader(fields);
  }

  override handleDataRow({ fields }: { fields: SentRow }): void {
    if (this.isSettingScope || this.unreadable) return;
    try {
      this.made.push(this.reader!.read(fields));
    } catch (error) {
      this.unreadable = error as Error;
    }
  }

  override handleCommandComplete(): void {
    if (this.isSettingScope) {
      this.isSettingScope = false;
      return;
    }
    // A statement without a result has no description.
    this.known!.readers.set(this.config.name, (this.reader ??= new RowReader([])));
  }

  override handleReadyForQuery(): void {
    this.callback(this.unreadable, this.made);
  }
}
