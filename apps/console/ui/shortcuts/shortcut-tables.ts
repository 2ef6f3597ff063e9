import type { ShortcutTable } from './shortcut';

let tables: readonly ShortcutTable[] = [];
const listeners = new Set<() => void>();

const tell = () => listeners.forEach((listener) => listener());

/** Adds a table for as long as its page is there. The last one added is asked first. */
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
