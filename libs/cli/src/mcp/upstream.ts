import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { version } from '../program/version.js';

/**
 * The `/mcp` of a Spillway server. It connects with the first request, and again after a failure, so that the program
 * may start before the server and outlives its restarts.
 */
export class Upstream {
  private connection: Promise<Client> | null = null;

  constructor(private readonly settings: { url: URL; key: string }) {}

  get url(): URL {
    return this.settings.url;
  }

  client(): Promise<Client> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = null;
      throw error;
    });
    return this.connection;
  }

  async close(): Promise<void> {
    const client = await this.connection?.catch(() => null);
    this.connection = null;
    await client?.close();
  }

  private async connect(): Promise<Client> {
    const { url, key } = this.settings;
    const client = new Client({ name: 'spillway-cli', version }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  }
}
