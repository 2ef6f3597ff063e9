import type { ModelThread } from '../thread-model.js';
import { append, erase, hold, pin, rewind } from './messages.js';
import { readContext, readInstructions, readMessages, readSummaries, readThread } from './reads.js';
import type { Client, Request } from './request.js';
import { restore, undo, write } from './summaries.js';
import { decide, fork, instruct, label } from './threads.js';

/** Often wanted ones stand here several times. */
const writes = [append, append, append, rewind, erase, instruct, label, fork, write, hold];
const writesOf = { strict: [...writes, write, undo, restore], free: [...writes, pin, undo] };
const reads = [readContext, readThread, readMessages, readSummaries, readInstructions];

/** All that a thread shows, one after another. */
export const readAll = (client: Client): Request[] => reads.map((read) => read(client));

/** What a client sends next: a new request, or at times an earlier one again. */
export function requestsOf(client: Client): (of: ModelThread) => Request {
  const { random, strict } = client;
  const sent: Request[] = [];
  return (of) => {
    if (of.messages.length === 0) return append(client, of);
    if (random.chance(0.35)) return random.pick([readContext, ...reads])(client);
    const old = sent.at(-1 - random.below(12));
    if (old && random.chance(0.15)) return old;
    const isDecision = of.instructions.length > 0 && random.chance(0.1);
    const send = isDecision ? decide : random.pick(strict ? writesOf.strict : writesOf.free);
    const made = send(client, of);
    sent.push(made);
    return made;
  };
}
