import { Inject } from '@nestjs/common';

/** The one provider: use cases are functions that take it. */
export const RUNTIME = Symbol('runtime');
export const InjectRuntime = () => Inject(RUNTIME);
