import type { ShortcutTable } from './shortcut';

let tables: readonly ShortcutTable[] = [];
const listeners = new Set<() => void>();

const tell = () => listeners.forEach((listener) => listener());

/** Registers a table while its page is shown. The last one registered has priority. */
export function addTable(table: ShortcutTable): () => void {
  tables = [...tables, table];
  tell();
  return () => {
    tables = tables.filter((one) => one !== table);
    tell();
  };
}

export const currentTables = (): readonly ShortcutTable[] => tables;

export function onTables(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
