import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { bridgeTo } from './bridge.js';
import { Upstream } from './upstream.js';

/** Serves the tools of a Spillway server over stdin and stdout until stdin ends or nothing reads stdout. */
export async function serveTools(settings: { url: URL; key: string }): Promise<void> {
  const upstream = new Upstream(settings);
  const transport = new StdioServerTransport();
  const served = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  const handle = serveStdio(() => bridgeTo(upstream), {
    transport,
    onerror: (error) => console.error(`spillway: ${error.message}`),
  });
  await served;
  await handle.close();
  await upstream.close();
}
