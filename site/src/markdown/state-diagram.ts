/** A transition of a state diagram. `[*]` is the start or the end. */
export interface Transition {
  from: string;
  to: string;
  when: string;
}

/** Reads a state diagram of Mermaid that has transitions only. Throws for any other line. */
export function transitionsOf(diagram: string): Transition[] {
  const [head, ...lines] = diagram
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (head !== 'stateDiagram-v2') throw new Error(`"${head ?? ''}" is not stateDiagram-v2`);
  return lines.map((line) => {
    const [, from, to, when = ''] = /^(\S+) --> (\S+?)(?:: (.+))?$/.exec(line) ?? [];
    if (!from || !to) throw new Error(`"${line}" is no transition`);
    return { from, to, when };
  });
}

/** Shows a state diagram as a table: the site needs no program that draws, and search finds its words. */
export function transitionTable(diagram: string): string {
  const name = (state: string) => (state === '[*]' ? '(start)' : `\`${state}\``);
  return [
    '| from | to | when |',
    '| --- | --- | --- |',
    ...transitionsOf(diagram).map(({ from, to, when }) => `| ${name(from)} | ${name(to)} | ${when} |`),
  ].join('\n');
}
