import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromPeer, Served } from './serve-turns.js';

export interface PeerProcess {
  turn(text: string): Promise<Served>;
  stop(): Promise<void>;
}

/** Starts a program that calls `serveTurns`, and returns once it is open. Throws when it ends or a turn fails. */
export async function startPeer(file: string, options: object): Promise<PeerProcess> {
  const child = fork(file, [JSON.stringify(options)], {
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' },
  });
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}.`);
  });
  // Once it was stopped nothing waits for this.
  gone.catch(() => undefined);
  const next = async (): Promise<FromPeer> => {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [FromPeer];
    if ('error' in message) throw new Error(`${file}: ${message.error}`);
    return message;
  };
  await next();
  return {
    turn: async (text) => {
      const answered = next();
      child.send({ text });
      return (await answered) as Served;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
