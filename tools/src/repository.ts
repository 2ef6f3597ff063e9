import { fileURLToPath } from 'node:url';

/** The top of this checkout; everything built lies at a fixed place under it. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));
