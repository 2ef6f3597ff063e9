import type { Schemas } from '@spillway/client';

const words: Record<Schemas['CompactionAttempt']['trigger'], string> = {
  automatic: 'Automatic',
  ahead: 'Ahead',
  manual: 'Manual',
  rebuild: 'Rebuild',
};

/** What started an attempt. */
export const triggerWords = (trigger: keyof typeof words): string => words[trigger];
