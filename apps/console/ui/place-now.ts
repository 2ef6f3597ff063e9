/** Parameters that lead to another part of a page. Filters and the cursor of a list do not. */
const ofPlaces = ['tab', 'gen', 'generation'];

/**
 * Where the person is: the page, its tab, and the generation shown. What follows a slow request compares it with where
 * the person asked, because a mutation also ends when its page was left.
 */
export function placeNow(): string {
  const { pathname, search } = window.location;
  const params = new URLSearchParams(search);
  return JSON.stringify([pathname, ...ofPlaces.map((name) => params.get(name))]);
}
