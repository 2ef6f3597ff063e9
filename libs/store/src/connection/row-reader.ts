import pg from 'pg';

/** A column as Postgres describes it. */
export interface Column {
  name: string;
  dataTypeID: number;
}

/** A row as Postgres sends it: each value as text. */
export type SentRow = readonly (string | null)[];

/** Makes objects of the rows of one statement, with the values that pg makes of each type. */
export class RowReader {
  private readonly names: readonly string[];
  private readonly parsers: readonly ((text: string) => unknown)[];
  /** Copied for each row, so that all of them have the same shape. */
  private readonly empty: Readonly<Record<string, null>>;

  constructor(columns: readonly Column[]) {
    this.names = columns.map(({ name }) => name);
    this.parsers = columns.map(({ dataTypeID }): ((text: string) => unknown) =>
      pg.types.getTypeParser(dataTypeID, 'text'),
    );
    this.empty = Object.fromEntries(this.names.map((name) => [name, null]));
  }

  read(sent: SentRow): pg.QueryResultRow {
    const row: pg.QueryResultRow = { ...this.empty };
    for (let i = 0; i < this.names.length; i++) {
      const text = sent[i]!;
      if (text !== null) row[this.names[i]!] = this.parsers[i]!(text);
    }
    return row;
  }
}
