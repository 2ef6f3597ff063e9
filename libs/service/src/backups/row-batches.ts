import { restoreRows, restoreSharedOutputs, type Query } from '@spillway/store';
import type { RowLine } from './backup-line.js';

const rowsAtOnce = 200;
const bytesAtOnce = 2 * 1024 * 1024;

/** Writes the rows of a backup in their order, some of one table at a time. */
export class RowBatches {
  /** Outputs that the project has already, of another thread. */
  readonly shared: string[] = [];
  private table = '';
  private isShared = false;
  private rows: RowLine['row'][] = [];
  private bytes = 0;

  constructor(
    private readonly query: Query,
    private readonly to: Parameters<typeof restoreRows>[1] & Parameters<typeof restoreSharedOutputs>[1],
  ) {}

  /** `bytes` is the length of the row's line. An output that the thread shared as a fork is marked `shared`. */
  async add(table: string, row: RowLine['row'], bytes: number): Promise<void> {
    const isShared = table === 'outputs' && row.shared === true;
    const isOther = table !== this.table || isShared !== this.isShared;
    if (isOther || this.rows.length === rowsAtOnce || this.bytes > bytesAtOnce) await this.flush();
    this.table = table;
    this.isShared = isShared;
    const { shared: _mark, ...columns } = row;
    this.rows.push(isShared ? columns : row);
    this.bytes += bytes;
  }

  async flush(): Promise<void> {
    const { query, to, table, rows } = this;
    if (rows.length === 0) return;
    this.rows = [];
    this.bytes = 0;
    if (!this.isShared) await restoreRows(query, to, table, rows);
    else for (const output of await restoreSharedOutputs(query, to, rows)) this.shared.push(output);
  }
}
