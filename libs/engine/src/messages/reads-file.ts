const showingVerbs = new Set(['read', 'view', 'cat', 'open', 'get', 'show', 'load']);
const things =
  /^(?:files?|texts?|lines?|contents?|sources?|documents?|docs?|notebooks?|resources?|range|chunk)$/;

/**
 * Whether a tool shows what there is, by its name: "read_file", "get_order". Words of failure in that are no news of the
 * thread: a file that speaks of errors reports none. An error of the tool itself is.
 */
export const showsData = (tool: string): boolean => showingVerbs.has(wordsOf(tool)[0] ?? '');

/**
 * Whether what it shows is a file: "read", "read_file", "getFileContents". That a path was read goes without saying;
 * "get_order" looks something up.
 */
export function readsFile(tool: string): boolean {
  const rest = wordsOf(tool).slice(1);
  return showsData(tool) && (rest.length === 0 || rest.some((word) => things.test(word)));
}

const wordsOf = (tool: string): string[] =>
  tool
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [];
