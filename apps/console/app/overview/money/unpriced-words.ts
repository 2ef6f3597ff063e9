import type { Schemas } from '@spillway/client';
import { plural } from '@/ui/quantity';

type ModelMoney = Schemas['SavedMoney']['models'][number];

/**
 * Why the costs by model are more than the tile of costs says, which adds up what was known at the time. Null when no
 * attempt ran without a price.
 */
export function unpricedWords(
  attempts: number,
  models: readonly Pick<ModelMoney, 'spent_usd'>[],
): string | null {
  if (attempts === 0) return null;
  const one = attempts === 1;
  // A cost is unknown while a model that made one of these summaries still has no price.
  if (models.some(({ spent_usd: cost }) => cost === null))
    return `${plural(attempts, 'attempt')} ran without a price. ${one ? 'It counts' : 'Each counts'} at the price of today once its model has one.`;
  return `${plural(attempts, 'attempt')} ran before a price was set and ${one ? 'counts' : 'count'} at the price of today.`;
}
