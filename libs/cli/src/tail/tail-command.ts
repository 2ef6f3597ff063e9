import type { SpillwayEvent } from '@spillway/client';
import { UsageError, type Command } from '../program/command.js';
import { textOf, textsOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';

export const tail: Command = {
  summary: 'Prints the events of a thread, or of all threads, as they happen.',
  operands: [{ name: 'thread', required: false }],
  options: {
    type: { type: 'string', multiple: true, value: 'types', summary: 'Only events of these types.' },
    after: { type: 'string', value: 'event', summary: 'First those that came after the event with this id.' },
    limit: { type: 'string', short: 'n', value: 'n', summary: 'Ends after n events. Default: never.' },
  },
  notes: `Ctrl-C ends it, with exit code 0. A connection that is lost is opened again where it ended: no event is missed and
none comes twice. Types that end with a dot and a star, as compaction.*, stand for all that begin so.
Scope: context:read.`,
  needsReader: true,
  async run({ operands: [thread], options, env, print }) {
    const types = textsOf(options, 'type');
    const limit = wholeNumberOf(options, 'limit', { min: 1 });
    const lastEventId = textOf(options, 'after');
    if (lastEventId !== undefined && !/^\d{1,18}-\d{1,18}$/.test(lastEventId))
      throw new UsageError(`--after must be the id of an event, not ${JSON.stringify(lastEventId)}.`);
    const spillway = clientOf(env);
    // A stream is opened again for as long as it takes, and that of a thread that does not exist is empty forever: say at
    // once what is wrong.
    if (thread === undefined) await spillway.call({ method: 'GET', path: '/v1/sessions/current' });
    else await spillway.thread(thread).get();
    const stop = new AbortController();
    const end = () => stop.abort();
    process.once('SIGINT', end).once('SIGTERM', end);
    print.progress('Waiting for events. Ctrl-C ends.');
    let printed = 0;
    try {
      for await (const event of spillway.events({ thread, lastEventId, signal: stop.signal })) {
        if (types.length > 0 && !types.some((type) => isOfType(event.type, type))) continue;
        if (print.json) await print.value(event);
        else await print.line(lineOf(event));
        if (++printed === limit) break;
      }
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      print.progress('');
    }
  },
};

const isOfType = (type: string, asked: string): boolean =>
  asked.endsWith('.*') ? type.startsWith(asked.slice(0, -1)) : type === asked;

function lineOf({ timestamp, type, thread_id: thread, data }: SpillwayEvent): string {
  const fields = Object.entries(data).map(([key, value]) => `${key}=${String(value)}`);
  return [timestamp, type.padEnd(20), thread, ...fields].join('  ');
}
