// One sweep in a process of its own, of the outputs or of the storage, so that it can die in the middle or have a clock of
// its own.
import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, sweepOutputs, sweepStorage } from '@spillway/service';

const rt = openRuntime(readEnv(process.env, policyInput), 'sweeper');
await (process.argv[2] === 'storage' ? sweepStorage : sweepOutputs)(rt);
await rt.close();
