import { Inject } from '@nestjs/common';

export const RUNTIME = Symbol('runtime');
export const InjectRuntime = () => Inject(RUNTIME);

export const REFUSALS = Symbol('refusals');
export const InjectRefusals = () => Inject(REFUSALS);
