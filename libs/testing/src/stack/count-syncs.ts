import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

export interface SyncCounter {
  /** `url` with the address of this counter in place of the server's. */
  through(url: string): string;
  /** Round trips of clients to Postgres: each Sync or simple query waits for one answer. */
  count(): number;
  /** How often clients asked what columns a statement has. */
  descriptions(): number;
  stop(): void;
}

const sync = 'S'.charCodeAt(0);
const simpleQuery = 'Q'.charCodeAt(0);
const describe = 'D'.charCodeAt(0);

/** Passes connections on to Postgres and counts their round trips. Connections are not encrypted. */
export async function countSyncs(databaseUrl: string): Promise<SyncCounter> {
  const { hostname: host, port } = new URL(databaseUrl);
  let count = 0;
  let descriptions = 0;
  const server = createServer((client) => {
    const postgres = connect({ host, port: Number(port) });
    const see = frontendMessages((type) => {
      if (type === sync || type === simpleQuery) count++;
      if (type === describe) descriptions++;
    });
    client.on('data', see);
    client.on('error', () => postgres.destroy());
    postgres.on('error', () => client.destroy());
    client.pipe(postgres).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    count: () => count,
    descriptions: () => descriptions,
    stop: () => void server.close(),
  };
}

/** Reads the types of the messages that a client sends. The first message of a connection has none. */
function frontendMessages(give: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStartup = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typed = isStartup ? 0 : 1;
      if (rest.length < typed + 4) return;
      const length = typed + rest.readUInt32BE(typed);
      if (rest.length < length) return;
      if (!isStartup) give(rest[0]!);
      isStartup = false;
      rest = rest.subarray(length);
    }
  };
}
