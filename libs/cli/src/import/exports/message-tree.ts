/** The ids from the root of a tree to a leaf. A parent that is not in the tree ends the way. */
export function pathTo<Node>(
  leaf: string,
  nodes: ReadonlyMap<string, Node>,
  parentOf: (node: Node) => unknown,
): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  for (let id: unknown = leaf; typeof id === 'string' && nodes.has(id) && !seen.has(id);) {
    seen.add(id);
    path.push(id);
    id = parentOf(nodes.get(id)!);
  }
  return path.reverse();
}
