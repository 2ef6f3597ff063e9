import type { Schemas } from '@spillway/client';

const words: Record<Schemas['CompactionAttempt']['trigger'], string> = {
  automatic: 'by itself',
  manual: 'by hand',
  rebuild: 'rebuild',
};

/** What started an attempt. */
export const triggerWords = (trigger: keyof typeof words): string => words[trigger];
