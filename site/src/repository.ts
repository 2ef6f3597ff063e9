import { fileURLToPath } from 'node:url';

/** The top of this checkout. The built files lie at the same depth as their sources. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));
