import type { OutputKind } from '@spillway/engine';

/** The content type of a download; it is always served as text. */
export const contentTypes: Record<OutputKind, string> = {
  log: 'text/plain; charset=utf-8',
  json: 'application/json',
  table: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  code: 'text/plain; charset=utf-8',
  diff: 'text/x-diff; charset=utf-8',
  listing: 'text/plain; charset=utf-8',
  search: 'text/plain; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

/** Ids and names are the client's; the columns that show them hold plain text. */
export const columnText = (text: string | null): string | null =>
  text?.replaceAll('\0', '').toWellFormed().slice(0, 500) ?? null;
