// One sweep in a process of its own, so that it can be made to die in the middle.
import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, sweepOutputs } from '@spillway/service';

const rt = openRuntime(readEnv(process.env, policyInput), 'sweeper');
await sweepOutputs(rt);
await rt.close();
