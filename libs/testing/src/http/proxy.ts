import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The state of the network between a client and its server. */
export type ProxyMode =
  | 'pass'
  /** Connections are accepted; no data passes in either direction. */
  | 'blackhole'
  /** Requests arrive, replies are lost: the client cannot know what the server did. */
  | 'lost-replies'
  /** Replies arrive, requests are lost. */
  | 'lost-requests'
  /** Every connection, old or new, gets a RST. */
  | 'reset'
  /** No listener; open connections continue. */
  | 'refuse'
  | { delayMs?: number; bytesPerSecond?: number };

export interface Proxy {
  host: string;
  port: number;
  /** `url` with this proxy's address in place of the server's. */
  through(url: string): string;
  set(mode: ProxyMode): Promise<void>;
  /** Connections from now on go to another server, as after a change of its address. Open ones stay where they are. */
  lead(target: ProxyTarget): void;
  /** RST to all connections now; new ones are not touched. */
  dropConnections(): void;
  connections(): number;
  stop(): Promise<void>;
}

export interface ProxyTarget {
  host: string;
  port: number;
}

interface Link {
  client: Socket;
  server: Socket | null;
}

const host = '127.0.0.1';

/** A TCP proxy in front of a server, whose network can be made to fail. */
export async function startProxy(first: ProxyTarget): Promise<Proxy> {
  let target = first;
  const links = new Set<Link>();
  let mode: ProxyMode = 'pass';
  let listener: Server | null = await listen(0, accept);
  const { port } = listener.address() as AddressInfo;

  function accept(client: Socket): void {
    client.on('error', () => undefined); // How it ended is seen by both ends.
    if (mode === 'reset') return void client.resetAndDestroy();
    const link: Link = { client, server: null };
    links.add(link);
    client.once('close', () => links.delete(link));
    if (mode === 'blackhole') return void client.resume();
    const server = connect({ ...target, allowHalfOpen: true });
    link.server = server;
    server.on('error', () => client.resetAndDestroy());
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    void forward(client, server, 'lost-requests', () => mode);
    void forward(server, client, 'lost-replies', () => mode);
  }

  const dropConnections = (): void => {
    for (const { client, server } of links) {
      client.resetAndDestroy();
      server?.resetAndDestroy();
    }
  };
  const close = (): void => {
    listener?.close();
    listener = null;
  };
  return {
    host,
    port,
    through: (url) => {
      const changed = new URL(url);
      changed.hostname = host;
      changed.port = `${port}`;
      return changed.href;
    },
    set: async (next) => {
      mode = next;
      if (next === 'refuse') return close();
      listener ??= await listen(port, accept);
      if (next === 'reset') dropConnections();
    },
    lead: (next) => (target = next),
    dropConnections,
    connections: () => links.size,
    stop: async () => {
      const closed = listener && once(listener, 'close');
      close();
      dropConnections();
      await closed;
    },
  };
}

async function listen(port: number, accept: (client: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, accept);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/**
 * Copies one direction. TCP never loses bytes in the middle of a stream, so a direction that lost some stays dead after
 * the network recovers: its owner has to notice and reconnect.
 */
async function forward(
  from: Socket,
  to: Socket,
  losing: 'lost-requests' | 'lost-replies',
  mode: () => ProxyMode,
): Promise<void> {
  let dead = false;
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const now = mode();
      dead ||= now === 'blackhole' || now === losing;
      if (dead) continue;
      if (typeof now === 'object') await sleep(lateness(now, chunk.length));
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    }
    if (!dead) to.end();
  } catch {
    to.destroy(); // One end was reset; so is the other.
  }
}

const lateness = ({ delayMs = 0, bytesPerSecond = Infinity }: Exclude<ProxyMode, string>, bytes: number) =>
  delayMs + (1000 * bytes) / bytesPerSecond;
