import { readFile } from 'node:fs/promises';
import { startConsole, type Stack } from '@spillway/testing';
import { round, type BenchResult, type Row } from './bench.js';
import { load, type Load } from './load/load.js';

const maxMb = 250;
const body = JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(200) }] });

/** Resident memory of each process, after start and under load. */
export async function memory(stack: Stack): Promise<BenchResult> {
  const site = await startConsole(stack.url);
  const processes = [
    { name: 'api', pid: stack.api.pid },
    { name: 'worker', pid: stack.workers[0]!.pid },
    { name: 'console', pid: site.pid },
  ];
  try {
    const idle = await Promise.all(processes.map(({ pid }) => residentMb(pid)));
    const peak = [...idle];
    const watch = setInterval(() => {
      processes.forEach(({ pid }, i) => {
        void residentMb(pid).then((mb) => (peak[i] = Math.max(peak[i]!, mb)));
      });
    }, 200);
    const requests = Array.from({ length: 400 }, (_, n): Load['requests'][number] =>
      n % 4 === 3
        ? { method: 'GET', path: `/v1/threads/memory-${(n - 3) % 100}/context` }
        : { method: 'POST', path: `/v1/threads/memory-${n % 100}/messages`, body },
    );
    const loaded = await load({ ...stack, inFlight: 32, seconds: 10, requests });
    for (let n = 0; n < 20; n++) await fetch(`${site.url}/login`);
    clearInterval(watch);
    const rows = processes.map(({ name }, i): Row => ({
      what: `${name}, idle / under load`,
      value: `${round(idle[i]!, 0)} / ${round(peak[i]!, 0)} MB`,
      against: '',
      target: `< ${maxMb} MB`,
      reached: peak[i]! < maxMb,
      guarded: { MB: { value: peak[i]!, better: 'less', within: 0.1 } },
      ...(name === 'api' && { headline: { what: 'Memory of the API, idle / under load', against: '' } }),
    }));
    // A context of a thread without an append is a 404, not a failure of the load.
    return {
      name: 'memory',
      about:
        'Resident memory of each process after its start, and the most of it during 10 seconds of appends and reads, 32 in flight.',
      rows,
      complaints: loaded.latencies.length === 0 ? ['nothing was answered'] : [],
    };
  } finally {
    await site.kill();
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}
