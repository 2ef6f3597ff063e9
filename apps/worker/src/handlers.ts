import type { Handlers } from '@spillway/jobs';
import { compactThread, sweepOutputs, type Runtime } from '@spillway/service';

/** Job name -> use case. A job without a line here does not compile. */
export const handlersOf = (rt: Runtime): Handlers => ({
  'compact-thread': (payload) => compactThread(rt, payload),
  'sweep-outputs': () => sweepOutputs(rt),
});
