/** The page that sets prices of these models. */
export const pricesPath = (models: readonly string[]): string =>
  `/settings/models?only=${encodeURIComponent(models.join(','))}`;
