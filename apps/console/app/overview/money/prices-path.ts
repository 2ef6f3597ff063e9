/** Where these models get a price. */
export const pricesPath = (models: readonly string[]): string =>
  `/settings/models?only=${encodeURIComponent(models.join(','))}`;
