/** First words of names of tools that look and change nothing. */
const reading = new Set(
  (
    'get list read search find grep ls cat view look fetch query calculate think describe show check glob open lookup ' +
    'browse browser head tail count inspect status web track trace photo screenshot verify validate compare estimate ' +
    'retrieve load scan diff log logs explain preview peek ping wait todo plan ask test ' +
    // Names that are written as one word.
    'webfetch websearch todoread todowrite readfile listdir listfiles viewfile findfile searchfiles'
  ).split(' '),
);

/** Words with which the first one says something else: `check_out`, `log_in`, `open_issue`. */
const otherwise = new Map(
  Object.entries({
    check: 'out in off',
    open: 'account case dispute issue order position pr pull ticket',
    find: 'replace',
    search: 'replace',
  }).map(([first, next]) => [first, new Set(next.split(' '))]),
);

/** `find_or_create`, `search_and_replace`. */
const joins = new Set(['or', 'and']);

/** Longer names are not names. */
const maxLength = 200;

/**
 * Whether a tool looks and changes nothing, by the words of its name: `get_order`, `readFile`, `mcp__github__get_issue`.
 * A word counts as a whole: `checkout_cart` does not check.
 */
export function onlyReads(name: string): boolean {
  const own = name.slice(0, maxLength).split('__').at(-1)!;
  const [first, next, after] =
    own.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
  if (first === undefined) return false;
  if (first === 'update') return next === 'plan' && after === undefined;
  if (!reading.has(first)) return false;
  if (next === undefined) return true;
  // What is logged is recorded, unless the name is of a whole log.
  return first !== 'log' && !joins.has(next) && !otherwise.get(first)?.has(next);
}
