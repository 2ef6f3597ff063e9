const arrivals = new WeakMap<object, number>();

/**
 * When this browser first rendered a page's data from the server, as `initialDataUpdatedAt` of a query. Going back shows
 * the same data again, by then perhaps old. The server's own time would not do: its clock may be ahead of the browser's.
 */
export function arrivedAt(first: object): number {
  const at = arrivals.get(first) ?? Date.now();
  arrivals.set(first, at);
  return at;
}
