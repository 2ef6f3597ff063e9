import autocannon from 'autocannon';
import type { Load, Loaded } from './load.js';

process.once('message', (asked: Load) => {
  void generate(asked).then((loaded) => process.send!(loaded, () => process.disconnect()));
});

function generate({ url, key, inFlight, seconds, requests }: Load): Promise<Loaded> {
  const latencies: number[] = [];
  let failures = 0;
  let clients = 0;
  const options: autocannon.Options = {
    url,
    connections: inFlight,
    duration: seconds,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    // Written once: a request made for each sending would take a third of what the service takes to answer it.
    setupClient: (client) => client.setRequests(shareOf(requests, clients++, inFlight)),
  };
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error: Error | null, { duration }) => {
      if (error) reject(error);
      else resolve({ perSecond: latencies.length / duration, latencies, failures });
    });
    // Its own histogram knows whole milliseconds only.
    run.on('response', (_, status, _bytes, ms) => {
      if (status >= 200 && status < 300) latencies.push(ms);
      else failures++;
    });
    run.on('reqError', () => failures++);
  });
}

/** What one of several connections sends in turns: every so many of the requests, or one where there are fewer. */
function shareOf(requests: Load['requests'], client: number, clients: number): autocannon.Request[] {
  const own = requests.filter((_, n) => n % clients === client % requests.length);
  return own.map((request) => ({ ...request }));
}
