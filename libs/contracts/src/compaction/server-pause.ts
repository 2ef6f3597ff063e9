import { z } from 'zod';
import { whole } from '../quantities.js';
import { timestamp } from '../text.js';

export const serverPause = z
  .object({
    paused_at: timestamp
      .nullable()
      .describe('Since when the compaction of all projects is paused; null while it is not.'),
    paused_projects: whole.describe('Projects whose own compaction is paused.'),
  })
  .meta({ id: 'ServerPause', description: 'Whether workers compact threads.' });
