const arrivals = new WeakMap<object, number>();

/**
 * When the browser first saw what the server sent with a page: the age of initial data. Without it TanStack Query takes
 * them for new whenever it builds their query, also after they left the cache, or on a page that Back shows again.
 */
export function arrivedAt(sent: object): number {
  const at = arrivals.get(sent) ?? Date.now();
  arrivals.set(sent, at);
  return at;
}
