import type { Stack } from '@spillway/testing';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockHolder } from './races/lock-holder.js';

/**
 * Sends these heads of requests, each on a connection of its own, while the API waits for a table that is locked, and
 * hangs up before it may go on. Requests that ask Postgres the same may wait for one statement.
 */
export async function hangUpWhileLocked(
  { url, databaseUrl }: Pick<Stack, 'url' | 'databaseUrl'>,
  table: string,
  heads: readonly string[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  const holder = await lockHolder(databaseUrl);
  try {
    await holder.holdTable(table);
    const sockets = heads.map((head) => connectAndSend(Number(port), hostname, head));
    await holder.untilWaiting(1);
    await sleep(300);
    for (const socket of sockets) socket.destroy();
    await sleep(300);
    await holder.release();
  } finally {
    await holder.close();
  }
}

function connectAndSend(port: number, host: string, head: string): Socket {
  const socket = connect(port, host);
  socket.on('error', () => socket.destroy());
  socket.write(head);
  return socket;
}
