/** What an address says that leads to a generation of the summary, whatever it said before. */
export const toGeneration = (generation: number) => ({
  tab: 'summaries',
  gen: String(generation),
  // Old links use `generation`.
  generation: null,
  base: null,
});
