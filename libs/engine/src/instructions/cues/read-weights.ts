/** The cues of a table of weights as `npm run cues` writes it: on each line a weight, and the cues that have it. */
export const readWeights = (table: string): { name: string; weight: number }[] =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [weight, ...names] = line.split(' ');
      return names.map((name) => ({ name, weight: Number(weight) }));
    });
