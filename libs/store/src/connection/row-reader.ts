import pg from 'pg';

/** A column as Postgres describes it. */
export interface Column {
  name: string;
  dataTypeID: number;
}

/** A row as Postgres sends it: each value as text. */
export type SentRow = readonly (string | null)[];

type Parser = (text: string) => unknown;

/** Makes objects of the rows of one statement, with the values that pg makes of each type. */
export class RowReader {
  private readonly names: readonly string[];
  private readonly parsers: readonly Parser[];
  /** Copied for each row, so that all of them have the same shape. */
  private readonly empty: Readonly<Record<string, null>>;

  constructor(columns: readonly Column[]) {
    this.names = columns.map(({ name }) => name);
    this.parsers = columns.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as Parser);
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
