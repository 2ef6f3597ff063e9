import { SetMetadata } from '@nestjs/common';

export const OPEN = 'open';

/** Reachable without an API key. Everything else is denied by default. */
export const Open = () => SetMetadata(OPEN, true);
