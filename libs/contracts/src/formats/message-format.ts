import { z } from 'zod';

export const messageFormat = z.enum(['openai', 'responses', 'anthropic', 'ai-sdk']);
